import * as fc from "fast-check";

import { foreignUri } from "@/tests/oauth/fuzz/support/foreign-uri";

/** Parameters in their order; names may repeat. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** Changes parameters in one way. */
export type Mutation = (pairs: Pairs) => Pairs;

const NAMES = [
  [
    "client_id",
    "client_secret",
    "redirect_uri",
    "response_type",
    "response_mode",
    "scope",
    "state",
    "code",
    "code_verifier",
    "code_challenge",
  ],
  [
    "code_challenge_method",
    "grant_type",
    "resource",
    "request",
    "request_uri",
    "prompt",
    "nonce",
    "refresh_token",
    "iss",
    "error",
    "access_token",
  ],
  [
    "__proto__",
    "constructor",
    "toString",
    "client_id[]",
    "Client_Id",
    " client_id",
    "client_id ",
    "client_id\u0000",
    "",
    "redirect_uri[]",
  ],
].flat();

/** Values on which some parser has failed. */
const NASTY = [
  [
    "",
    " ",
    "\u0000",
    "\r\nlocation: https://evil.example",
    "\r\n\r\n<svg onload=alert(1)>",
    '"><svg onload=alert(1)>',
    "%",
    "%00",
    "%zz",
    "%E0%A4%A",
  ],
  [
    "null",
    "undefined",
    "true",
    "[]",
    "{}",
    "{{7*7}}",
    "${7*7}",
    "' OR '1'='1",
    "\\",
    "../..",
    "🔑",
    "\ud7ff\ue000",
    "a".repeat(3000),
    "-1",
    "1e309",
  ],
  [
    "code",
    "token",
    "code token",
    "none",
    "query",
    "fragment",
    "form_post",
    "plain",
    "S256",
    "s256",
    "authorization_code",
    "client_credentials",
  ],
  [
    "crm:read",
    "crm:write",
    "erp:read",
    "crm:read  crm:write",
    "crm:read\tcrm:write",
    "CRM:READ",
    "openid",
    "*",
    "http://localhost:3000",
    "/api/v1",
  ],
  [
    "http://localhost:3000/api/v1/",
    "http://localhost:3000//api/v1",
    "http://localhost:3000/api/mcp",
    "A".repeat(43),
    "~".repeat(128),
    "é".repeat(43),
  ],
].flat();

export const nastyValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 2, arbitrary: foreignUri },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);
const anyName = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);

/** Replaces the parameter at a place by any number of others. */
function at(place: number, change: (name: string, value: string) => Pairs): Mutation {
  return (pairs) =>
    pairs.flatMap((pair, index) => (index === place % pairs.length ? change(pair[0], pair[1]) : [pair]));
}

const place = fc.nat(11);

const dropped = place.map((place) => at(place, () => []));
const repeated = place.map((place) =>
  at(place, (name, value) => [
    [name, value],
    [name, value],
  ]),
);
const joinedByOther = fc.tuple(place, nastyValue, fc.boolean()).map(([place, other, first]) =>
  at(place, (name, value) =>
    first
      ? [
          [name, other],
          [name, value],
        ]
      : [
          [name, value],
          [name, other],
        ],
  ),
);
const replaced = fc.tuple(place, nastyValue).map(([place, other]) => at(place, (name) => [[name, other]]));
const extended = fc
  .tuple(place, nastyValue, fc.boolean())
  .map(([place, other, first]) => at(place, (name, value) => [[name, first ? other + value : value + other]]));
const truncated = fc
  .tuple(place, fc.nat(60))
  .map(([place, length]) => at(place, (name, value) => [[name, value.slice(0, length)]]));
const recased = fc
  .tuple(place, fc.nat(60))
  .map(([place, position]) => at(place, (name, value) => [[name, swapCase(value, position)]]));
const renamed = fc.tuple(place, anyName).map(([place, other]) => at(place, (_, value) => [[other, value]]));
const added = fc.tuple(anyName, nastyValue, fc.boolean()).map(
  ([name, value, first]): Mutation =>
    (pairs) =>
      first ? [[name, value], ...pairs] : [...pairs, [name, value]],
);
const swapped = fc.tuple(place, place).map(([one, two]): Mutation => (pairs) => {
  const values = pairs.map(([, value]) => value);
  const [a, b] = [one % pairs.length, two % pairs.length];
  return pairs.map(([name, value], index) => [name, (index === a ? values[b] : index === b ? values[a] : value) ?? ""]);
});

function swapCase(value: string, position: number): string {
  const character = value[position % Math.max(1, value.length)] ?? "";
  const other = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
  return (
    value.slice(0, position % Math.max(1, value.length)) +
    other +
    value.slice((position % Math.max(1, value.length)) + 1)
  );
}

const mutation = fc.oneof(
  dropped,
  repeated,
  joinedByOther,
  replaced,
  extended,
  truncated,
  recased,
  renamed,
  added,
  swapped,
);

/** No change at all, one, or a few, one after the other. */
export const mutations: fc.Arbitrary<Mutation> = fc
  .oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 1 }) },
    { weight: 3, arbitrary: fc.array(mutation, { minLength: 2, maxLength: 4 }) },
  )
  .map(
    (changes) => (pairs) =>
      changes.reduce<Pairs>((changed, change) => (changed.length > 0 ? change(changed) : changed), pairs),
  );

/** How parameters are written down. */
export const encoding: fc.Arbitrary<(pairs: Pairs) => string> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constant((pairs: Pairs) =>
      new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString(),
    ),
  },
  { weight: 2, arbitrary: fc.constant((pairs: Pairs) => join(pairs, everyByte, "&")) },
  { weight: 1, arbitrary: fc.constant((pairs: Pairs) => join(pairs, (text) => everyByte(everyByte(text)), "&")) },
  { weight: 1, arbitrary: fc.constant((pairs: Pairs) => join(pairs, encodeURIComponent, ";")) },
  { weight: 1, arbitrary: fc.constant((pairs: Pairs) => `&&${join(pairs, encodeURIComponent, "&&")}&`) },
  {
    weight: 1,
    arbitrary: fc.constant((pairs: Pairs) =>
      join(pairs, (text) => text.replaceAll(/[^\x21-\x7e]|[#&=+]/gu, encodeURIComponent), "&"),
    ),
  },
);

function join(pairs: Pairs, encode: (text: string) => string, separator: string): string {
  return pairs.map(([name, value]) => `${encode(name.toWellFormed())}=${encode(value.toWellFormed())}`).join(separator);
}

function everyByte(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
