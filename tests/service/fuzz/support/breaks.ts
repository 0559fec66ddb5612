import * as fc from "fast-check";

import { brokenOf, NO_DATES, UNSTORABLE } from "@/tests/service/fuzz/support/broken-value";
import type { ApiOperation, ApiParameter } from "@/tests/service/fuzz/support/document";
import type { Draft } from "@/tests/service/fuzz/support/draft";
import { queryValue } from "@/tests/service/fuzz/support/draft";
import { type Meanings, resourceOf } from "@/tests/service/fuzz/support/meanings";
import type { Fixtures } from "@/tests/service/fuzz/support/fixtures";

/** A way to make a request invalid, so that it must be refused whatever else it contains. */
export interface Break {
  how: string;
  corrupt: (draft: Draft) => Draft;
}

/** Every way to make a request of an operation invalid. */
export function breaksOf(operation: ApiOperation, meanings: Meanings, fixtures: Fixtures): fc.Arbitrary<Break> {
  return fc.oneof(
    ...bodyBreaks(operation, meanings),
    ...operation.parameters
      .filter((parameter) => parameter.in === "query")
      .map((parameter) => queryBreaks(parameter, meanings)),
    ...operation.parameters
      .filter((parameter) => parameter.in === "path")
      .map(({ name }) => pathBreaks(name, operation, fixtures)),
    { weight: 2, arbitrary: unknownParameter(operation) },
    badEscape,
    ...headerBreaks(operation),
  );
}

type Weighted = { weight: number; arbitrary: fc.Arbitrary<Break> };

function bodyBreaks({ body }: ApiOperation, meanings: Meanings): Weighted[] {
  if (!body) return [];
  const value = brokenOf(body, meanings).map((broken): Break => ({
    how: "body",
    corrupt: (draft) => ({ ...draft, body: broken }),
  }));
  const types = fc.constantFrom(
    "text/plain",
    "",
    "application/jsonp",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "json",
  );
  const type = types.map((type): Break => ({
    how: "content type",
    corrupt: (draft) => withHeader(draft, "content-type", type),
  }));
  return [
    { weight: 16, arbitrary: value },
    { weight: 4, arbitrary: rewritten },
    { weight: 1, arbitrary: type },
  ];
}

/** Texts that are not a JSON object, or that two parsers understand differently (RFC 7493 §2.3). */
const rewritten: fc.Arbitrary<Break> = fc.oneof(
  fc
    .nat(5000)
    .map((place) =>
      rewrite("truncated", (text) => Buffer.from(text).subarray(0, place % Math.max(1, Buffer.byteLength(text)))),
    ),
  fc
    .constantFrom("", "null", "[]", "1", '"x"', "{'a':1}", "{a:1}", "//", "undefined", "NaN", "\0", '{"a":\u0001}')
    .map((other) => rewrite("no object", () => Buffer.from(other))),
  fc.constantFrom("}", ",", "{}", "//", "\0").map((end) => rewrite("goes on", (text) => Buffer.from(text + end))),
  fc
    .constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80])
    .map((bytes) => rewrite("no UTF-8", (text) => Buffer.concat([Buffer.from(text), Buffer.from(bytes)]))),
  fc.constant(rewrite("repeated name", repeatName)),
  fc
    .constantFrom(1, 1000)
    .map((times) =>
      rewrite("deep", () => Buffer.from(`{"custom_fields":${'{"a":['.repeat(70 * times)}${"]}".repeat(70 * times)}}`)),
    ),
  fc.constantFrom(1_048_577, 3_000_000).map((size) => rewrite("too large", (text) => Buffer.from(text.padEnd(size)))),
);

function rewrite(how: string, body: (text: string) => Buffer): Break {
  return { how, corrupt: (draft) => ({ ...draft, rewrite: { ...draft.rewrite, body } }) };
}

/** Repeats the first name; in an empty object, adds a name twice. */
function repeatName(text: string): Buffer {
  const [, name = '"a"'] = /^\{("(?:[^"\\]|\\.)*"):./.exec(text) ?? [];
  return Buffer.from(text.length > 2 ? `{${name}:null,${text.slice(1)}` : '{"a":1,"a":1}');
}

function queryBreaks(parameter: ApiParameter, meanings: Meanings): Weighted {
  const { name, schema } = parameter;
  const meant = meanings.query(parameter);
  const wrong = meant ? [...meant.wrong, ...UNSTORABLE.slice(0, 3)] : wrongTexts(schema);
  const replaced = fc
    .constantFrom(...wrong)
    .map((value) => withQuery(`?${name}`, (query) => [...query.filter(([each]) => each !== name), [name, value]]));
  const twice = queryValue(parameter, meanings).map((value) =>
    withQuery(`?${name} twice`, (query) => [...query, [name, value], [name, value]]),
  );
  return { weight: 1, arbitrary: fc.oneof({ weight: 4, arbitrary: replaced }, { weight: 1, arbitrary: twice }) };
}

const WRONG_BY_TYPE: Record<string, string[]> = {
  integer: [
    "",
    "x",
    "1.5",
    "0",
    "201",
    "-1",
    "1e2",
    "+5",
    " 5",
    "0x10",
    "９",
    "99999999999999999999",
    "1,0",
    "NaN",
    "null",
  ],
  boolean: ["", "1", "True", "yes", "null"],
};
const WRONG_BY_FORMAT: Record<string, string[]> = {
  date: ["", ...NO_DATES],
  "date-time": ["", "2026-02-30T00:00:00Z", "now"],
  uuid: ["", "x", "7d444840-9dc0-11d1-b245-5ffdce74fad2", "019cadd3-7fc0-7af2-9132-9b2fc82e5ef"],
};

function wrongTexts({
  type,
  minLength,
  maxLength,
  format,
  pattern,
  enum: values,
  const: value,
}: ApiParameter["schema"]): string[] {
  const [first] = values ?? [value];
  if (first !== undefined) return ["", "no_such", "constructor", String(first).toUpperCase(), `${String(first)}\0`];
  if (pattern !== undefined)
    return ["", "no_such", "constructor", ",", "new;closed"].filter((text) => !new RegExp(pattern, "u").test(text));
  const open = [...(minLength ? [""] : []), ...(maxLength ? ["x".repeat(maxLength + 1)] : []), ...UNSTORABLE];
  return WRONG_BY_FORMAT[format ?? ""] ?? WRONG_BY_TYPE[String(type)] ?? open;
}

const UNKNOWN = [
  "no_such",
  "limit[]",
  "created_at[foo]",
  "created_at",
  "fields[accounts]",
  "__proto__",
  "constructor",
  "nxtPid",
  "_rsc",
  "page",
  "",
  "Limit",
  "access_token",
];

function unknownParameter({ parameters }: ApiOperation): fc.Arbitrary<Break> {
  const known = new Set(parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name));
  return fc
    .constantFrom(...UNKNOWN.filter((name) => !known.has(name)))
    .map((name) => withQuery(`unknown ?${name}`, (query) => [...query, [name, "1"]]));
}

const badEscape: Weighted = {
  weight: 1,
  arbitrary: fc.constantFrom("%", "limit=%", "%zz=1", "ext_id=%FF", "%C0%80=1", "q=%ED%A0%80").map((raw) => ({
    how: `?${raw}`,
    corrupt: (draft) => ({
      ...draft,
      rewrite: { ...draft.rewrite, target: (target) => `${target}${target.includes("?") ? "&" : "?"}${raw}` },
    }),
  })),
};

function pathBreaks(name: string, operation: ApiOperation, { pools }: Fixtures): Weighted {
  const foreign = pools[resourceOf(operation)]?.foreign ?? [];
  const nowhere = [
    "x",
    "0",
    "null",
    "7d444840-9dc0-11d1-b245-5ffdce74fad2",
    "019cadd3-7fc0-7af2-9132-9b2fc82e5efe",
    "\0",
    "a\nb",
    "a/b",
    "a".repeat(300),
    "\ud800",
    "'--",
  ];
  const values =
    operation.method === "PUT" && name === "ext_id"
      ? ["\0", "a".repeat(256), "🔑".repeat(256), "\ud800"]
      : [...nowhere, ...foreign];
  return {
    weight: 3,
    arbitrary: fc.constantFrom(...values).map((value) => ({
      how: `path ${name}`,
      corrupt: (draft) => ({ ...draft, path: { ...draft.path, [name]: value } }),
    })),
  };
}

function headerBreaks({ method }: ApiOperation): Weighted[] {
  return [
    headerBreak("if-match", ["3", '"3', "W/3", '"1" "2"', '"1",', "", '"999999999"', 'W/"999999999"', "**", "\xff"]),
    headerBreak("authorization", [
      "",
      "Bearer",
      "Bearer x",
      "Basic Og==",
      `Bearer crm_token_${"a".repeat(43)}`,
      `Bearer ${"a".repeat(5000)}`,
      "\xe9",
    ]),
    ...(method === "POST"
      ? [headerBreak("idempotency-key", ["", "a b", "a".repeat(256), "\xe9", '"open', '""', "a,b", '"a";b'])]
      : []),
  ];
}

function headerBreak(name: string, values: readonly string[]): Weighted {
  const put = (value: string): Break => ({ how: name, corrupt: (draft) => withHeader(draft, name, value) });
  return { weight: 1, arbitrary: fc.constantFrom(...values).map(put) };
}

function withHeader(draft: Draft, name: string, value: string): Draft {
  return { ...draft, headers: { ...draft.headers, [name]: value } };
}

function withQuery(how: string, change: (query: Draft["query"]) => Draft["query"]): Break {
  return { how, corrupt: (draft) => ({ ...draft, query: change(draft.query) }) };
}
