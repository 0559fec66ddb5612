import * as fc from "fast-check";

import { BASE_URL } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";

import { encoding, mutations, nastyValue, type Pairs } from "@/tests/oauth/fuzz/support/form";
import { fault } from "@/tests/oauth/fuzz/support/fault";
import { isEntitled } from "@/tests/oauth/fuzz/support/entitled";
import { judgeTokenAnswer } from "@/tests/oauth/fuzz/support/judge-token-answer";
import { rarely } from "@/tests/oauth/fuzz/support/rarely";
import { CODES, type FuzzedClient, type FuzzedCode, type World } from "@/tests/oauth/fuzz/support/world";

/** A request to the token endpoint, without this run's secrets. */
export interface TokenFuzz {
  code: number;
  /** Which client presents it: its own, or another one's number. */
  presenter: number | null;
  secret: "live" | "ended" | "another client's";
  resource: string | null;
  method: "post" | "basic" | "both" | "none";
  mutate: (pairs: Pairs) => Pairs;
  encode: (pairs: Pairs) => string;
  authorization: string | null;
  contentType: string | null;
  query: string | null;
  garbage: Uint8Array | null;
  /** Bytes of the body that are overwritten: place and value. */
  flips: [number, number][];
}

const FORM = "application/x-www-form-urlencoded";
const CONTENT_TYPES = [
  `${FORM}; charset=utf-8`,
  FORM.toUpperCase(),
  "application/json",
  "multipart/form-data; boundary=x",
  "text/plain",
  "",
  "x",
  `text/plain, ${FORM}`,
];
const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCodePoint(code)),
  maxLength: 60,
});
const AUTHORIZATIONS = [
  "Basic",
  "Basic ",
  "Basic :",
  "Basic Og==",
  "Basic Y3JtXzo=",
  "Bearer x",
  "basic //79",
  `Basic ${"QQ".repeat(2000)}`,
  "Digest username=x",
  ",",
];

const misplaced = fc.oneof(
  nastyValue.map((value) => `code=${encodeURIComponent(value.toWellFormed())}`),
  fc.constantFrom("client_secret=x", "client_id=&x=1"),
);

export const tokenFuzz: fc.Arbitrary<TokenFuzz> = fc.record({
  code: fc.nat(CODES - 1),
  presenter: rarely(8, fc.nat(2)),
  resource: rarely(
    6,
    fc.oneof(fc.constantFrom(BASE_URL, `${BASE_URL}/api/v1`, `${BASE_URL}/api/mcp/`, `${BASE_URL}/api`), nastyValue),
  ),
  secret: rarely(8, fc.constantFrom("ended" as const, "another client's" as const)).map((secret) => secret ?? "live"),
  method: fc.constantFrom("post", "post", "post", "post", "basic", "basic", "basic", "basic", "both", "none"),
  mutate: mutations,
  encode: encoding,
  authorization: rarely(16, fc.oneof(fc.constantFrom(...AUTHORIZATIONS), headerValue)),
  contentType: rarely(16, fc.oneof(fc.constantFrom(...CONTENT_TYPES), headerValue)),
  query: rarely(20, misplaced),
  garbage: rarely(16, fc.uint8Array({ maxLength: 300 })),
  flips: rarely(10, fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 3 })).map(
    (flips) => flips ?? [],
  ),
});

let sent = 0;

/** Every request comes from a separate address, so that no limit hides a rule. */
function nextAddress(): string {
  sent += 1;
  // Each from a separate network, since unknown clients share one count within a network.
  return (
    `198.${18 + ((sent >> 16) & 1)}.${(sent >> 8) & 255}.${sent & 255}, ` +
    `2001:db8:${(sent >> 16).toString(16)}:${(sent & 0xffff).toString(16)}::1`
  );
}

function secretOf(fuzz: TokenFuzz, client: FuzzedClient, world: World): string {
  const others = world.clients.filter((other) => other !== client).flatMap(({ secrets }) => secrets);
  const pool = { live: client.secrets, ended: client.endedSecrets, "another client's": others }[fuzz.secret];
  return pool[fuzz.code % Math.max(1, pool.length)] ?? others[0] ?? "";
}

/** What it would be without its mutations, and what it says of itself in headers. */
function partsOf(fuzz: TokenFuzz, world: World, code: FuzzedCode): { pairs: Pairs; headers: Headers } {
  const client = fuzz.presenter === null ? code.client : (world.clients[fuzz.presenter] as FuzzedClient);
  const secret = secretOf(fuzz, client, world);
  const pairs: [string, string][] = [
    ["grant_type", "authorization_code"],
    ["code", code.code],
    ["redirect_uri", code.redirectUri],
    ["code_verifier", code.verifier],
  ];
  if (fuzz.resource !== null) pairs.push(["resource", fuzz.resource]);
  const headers = new Headers({ "content-type": fuzz.contentType ?? FORM, "x-forwarded-for": nextAddress() });
  if (fuzz.method === "post" || fuzz.method === "both")
    pairs.push(["client_id", client.clientId], ["client_secret", secret]);
  if (fuzz.method === "basic" || fuzz.method === "both")
    headers.set("authorization", `Basic ${btoa(`${client.clientId}:${secret}`)}`);
  if (fuzz.authorization !== null) headers.set("authorization", fuzz.authorization);
  return { pairs, headers };
}

/** The request that the description stands for, with its body as bytes. */
function requestOf(
  fuzz: TokenFuzz,
  world: World,
  codes: readonly FuzzedCode[],
): { url: string; headers: Headers; body: Buffer } {
  const { pairs, headers } = partsOf(fuzz, world, codes[fuzz.code % codes.length] as FuzzedCode);
  const body = Buffer.from(fuzz.garbage ?? fuzz.encode(fuzz.mutate(pairs)));
  for (const [place, value] of fuzz.flips) body[place % Math.max(1, body.length)] = value;
  return { url: `${BASE_URL}/oauth/token${fuzz.query === null ? "" : `?${fuzz.query}`}`, headers, body };
}

/** What came of a request: the token, if there was one, and the code that it was given for. */
export interface TokenOutcome {
  kind: string;
  token?: { value: string; code: FuzzedCode };
}

/** Sends it and judges the answer. Throws with the request when it breaks a promise. */
export async function tryToken(fuzz: TokenFuzz, world: World, codes: readonly FuzzedCode[]): Promise<TokenOutcome> {
  const { url, headers, body } = requestOf(fuzz, world, codes);
  const answer = await send(url, { method: "POST", headers, body: new Uint8Array(body) });
  const text = await answer.text();
  const request = {
    url,
    headers: Object.fromEntries(headers),
    body: body.toString("latin1"),
    status: answer.status,
    text,
  };
  const judged = judgeTokenAnswer(answer, text, headers.has("authorization"));
  if ("fault" in judged) throw fault(judged.fault, request);
  if (judged.accessToken === undefined) return { kind: judged.kind };
  const code = codes.find((each) => isEntitled({ url, headers, body }, each));
  if (!code) throw fault("a token without a valid code", request);
  if (judged.scope !== code.scope) throw fault("a token of another scope than the code's", request);
  return { kind: judged.kind, token: { value: judged.accessToken, code } };
}
