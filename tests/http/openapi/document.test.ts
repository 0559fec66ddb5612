import { expect, test } from "vitest";
import { z } from "zod";

import { AppError, type ErrorCode } from "@/lib/errors";
import { TEST_EVENT } from "@/lib/event-format";
import { OPERATION_NOTES } from "@/lib/http/openapi/descriptions";
import { buildDocument } from "@/lib/http/openapi/document";
import { answerExample } from "@/lib/http/openapi/examples/answers";
import { pathNames, type Route } from "@/lib/http/openapi/route";
import { PUBLIC_ROUTES } from "@/lib/http/openapi/routes";
import type { JsonSchema } from "@/lib/http/openapi/json-schema";
import { PROBLEMS, problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";
import { EVENT_TYPES } from "@/lib/records/events/list-events";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";
import { strictly } from "@/tests/support/strict-schemas";

const document = buildDocument();
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

/** Validates by the schema in the document, with its references; a field that it lacks is a fault. */
function faultsBy(schema: object, value: unknown): unknown {
  const $defs = strictly(document.components.schemas);
  const whole = JSON.parse(
    JSON.stringify({ ...schema, $defs }).replaceAll("#/components/schemas/", "#/$defs/"),
  ) as z.core.JSONSchema.JSONSchema;
  return z.fromJSONSchema(whole).safeParse(value).error?.issues ?? [];
}

function operationOf({ method, path }: Route) {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

/** Every `$ref` of the document. */
function refsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "$ref" && typeof each === "string" ? [each] : refsIn(each),
  );
}

function resolve(ref: string): unknown {
  const parts = ref.replace("#/", "").split("/");
  return parts.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
}

test("every reference has a target, and every component is referenced", () => {
  const refs = new Set(refsIn(document));
  expect(refs.size).toBeGreaterThan(30);
  expect([...refs].filter((ref) => resolve(ref) === undefined)).toEqual([]);
  expect(Object.keys(document.components.schemas).filter((name) => !refs.has(`#/components/schemas/${name}`))).toEqual(
    [],
  );
});

/** Every schema within a part of the document, with the name of its field. */
function schemasIn(value: unknown, name = ""): [name: string, schema: JsonSchema][] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.entries(value).flatMap(([key, each]) => schemasIn(each, Array.isArray(value) ? name : key));
  return [[name, value], ...within];
}

/** The schema of a field: of `Account.name`. */
function fieldAt(path: string): unknown {
  return resolve(`#/components/schemas/${path.replaceAll(".", "/properties/")}`);
}

const components = schemasIn(document.components.schemas);
const typesOf = ({ type }: JsonSchema) => (typeof type === "string" || Array.isArray(type) ? [type].flat() : []);

test("every number says how wide it is, and the size of a file can be more than 32 bits", () => {
  const numbers = components.filter(([, schema]) => /^(?:number|integer)(?:,null)?$/.test(typesOf(schema).join(",")));
  const formats = Map.groupBy(numbers, ([, schema]) => `${typesOf(schema)[0]} ${schema.format}`);
  // The status of a problem is between 400 and 599.
  expect([...formats.keys()].toSorted()).toEqual([
    "integer int32",
    "integer int64",
    "integer undefined",
    "number double",
  ]);
  expect(formats.get("integer undefined")?.map(([name]) => name)).toEqual(["status"]);
  expect(fieldAt("RecordFile.size")).toMatchObject({ type: "integer", format: "int64" });
  expect(fieldAt("Migration.files.bytes")).toMatchObject({ type: "integer", format: "int64" });
  expect(fieldAt("Opportunity.amount")).toMatchObject({ type: ["number", "null"], format: "double" });
  expect(fieldAt("Opportunity.probability")).toMatchObject({ type: ["integer", "null"], format: "int32" });
});

test("no schema is named File, which generated Java clients take for that of Java", () => {
  const { schemas } = document.components;
  expect(["File", "RecordFile", "RecordFilePage"].map((name) => name in schemas)).toEqual([false, true, true]);
});

test("every time has the format of one", () => {
  const times = components.filter(
    ([name, schema]) => /_at$|^since$|^read_until$/.test(name) && typesOf(schema).includes("string"),
  );
  expect(times.length).toBeGreaterThan(50);
  expect(times.filter(([, { format }]) => format !== "date-time").map(([name]) => name)).toEqual([]);
});

test("answers may get further fields, and requests may not have any", () => {
  const { AccountCreate, Account, AccountPage } = document.components.schemas;
  expect([AccountCreate, Account, AccountPage].map((schema) => schema?.additionalProperties)).toEqual([
    false,
    undefined,
    undefined,
  ]);
  const answers = operations.flatMap(({ responses }) => refsIn(responses)).map(resolve);
  const named = answers.flatMap((answer) => refsIn(answer)).map(resolve);
  expect(schemasIn([...answers, ...named]).filter(([, schema]) => schema.additionalProperties === false)).toEqual([]);
});

test.each(["Problem.code", "Problem.errors/items.code", "Event.type", "Migration.status", "MigrationHistory.event"])(
  "the list of %s says that it may grow",
  (path) => {
    expect(fieldAt(path)).toMatchObject({ description: expect.stringContaining("This list may grow.") as string });
  },
);

test("a creation documents its defaults, and a change has none", () => {
  expect(fieldAt("CaseCreate.status")).toMatchObject({ default: "new" });
  expect(fieldAt("CaseCreate.priority")).toMatchObject({ default: "medium" });
  expect(fieldAt("CaseCreate.custom_fields")).toMatchObject({ default: {} });
  expect(fieldAt("ProductCreate.is_active")).toMatchObject({ default: true });
  expect(fieldAt("CommentOfCaseCreate.is_public")).toMatchObject({
    default: false,
    description: "Whether customers may see it.",
  });
  const { CaseUpdate } = document.components.schemas;
  expect(schemasIn(CaseUpdate).filter(([, schema]) => schema.default !== undefined)).toEqual([]);
});

test("amounts document their bounds", () => {
  expect(fieldAt("OpportunityCreate.amount")).toMatchObject({ minimum: -7e13, maximum: 7e13 });
});

test("a filter by text says that case matters, and whether `q` finds the value whatever its case", () => {
  const filters = document.paths["/contacts"]?.get?.parameters ?? [];
  const described = (name: string) => filters.find((parameter) => parameter.name === name)?.description;
  expect(described("email")).toMatch(/Upper and lower case differ; `q` ignores case\.$/);
  expect(described("ext_id")).toMatch(/Upper and lower case differ\.$/);
  expect(described("account_id")).not.toContain("case");
});

test("every list documents the default number of records on a page", () => {
  const limits = operations.flatMap(({ parameters = [] }) => parameters.filter(({ name }) => name === "limit"));
  expect(limits.length).toBeGreaterThan(10);
  for (const { schema } of limits)
    expect(schema).toMatchObject({ type: "integer", minimum: 1, maximum: 200, default: 50 });
});

test("the schemas reject wrong values and accept right ones", () => {
  const { examples: [account] = [] } = document.components.schemas.Account ?? {};
  expect(faultsBy({ $ref: "#/components/schemas/Account" }, account)).toEqual([]);
  expect(faultsBy({ $ref: "#/components/schemas/Account" }, { ...(account as object), version: "1" })).not.toEqual([]);
  expect(
    faultsBy(
      { $ref: "#/components/schemas/AccountPage" },
      { data: [{ ...(account as object), id: 1 }], next_cursor: null, has_more: false },
    ),
  ).not.toEqual([]);
});

test("the request to a webhook's endpoint is described, also test events", () => {
  const { parameters, requestBody } = document.webhooks.event.post;
  expect(parameters.map(({ name, required }) => [name, required])).toEqual([
    ["webhook-id", true],
    ["webhook-timestamp", true],
    ["webhook-signature", false],
  ]);
  const { schema, example } = requestBody.content["application/json"];
  expect(faultsBy(schema, example)).toEqual([]);
  const withType = (type: string) => JSON.stringify(faultsBy(schema, { ...(example as object), type })) === "[]";
  expect([...EVENT_TYPES, TEST_EVENT].filter(withType).toSorted()).toEqual([...WEBHOOK_EVENTS, TEST_EVENT].toSorted());
  for (const type of [...EVENT_TYPES, TEST_EVENT]) {
    expect(faultsBy({ $ref: "#/components/schemas/Event" }, { ...(example as object), type })).toEqual([]);
  }
});

test.each(["WebhookCreate", "WebhookUpdate"])(
  "%s names every event that can be subscribed to, and no other",
  (name) => {
    const { description = "" } = document.components.schemas[name]?.properties?.events ?? {};
    const named = [...description.matchAll(/`(\w+\.\w+)`/g)].map(([, type]) => type);
    expect(named.toSorted()).toEqual([...WEBHOOK_EVENTS, TEST_EVENT].toSorted());
    for (const pattern of ["`case.*`", "`*`", `\`${TEST_EVENT}\` cannot be subscribed to`])
      expect(description).toContain(pattern);
  },
);

test("operation ids are the operations' names, each once", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.toSorted()).toEqual(PUBLIC_ROUTES.map(({ operation }) => operation.name).toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(PUBLIC_ROUTES)("$method $path documents its scopes, its responses and its problems", (route) => {
  const { security, responses, parameters = [], tags } = operationOf(route);
  expect(security).toEqual(route.operation.scopes.map((scope) => ({ oauth2: [scope] })));
  expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(tags));
  expect(Object.keys(responses)).toEqual(
    expect.arrayContaining([...route.statuses.map(String), "400", "401", "403", "500"]),
  );
  for (const response of Object.values(responses)) {
    expect(Object.keys(response.headers)).toContain("x-request-id");
    expect(Object.values(response.content ?? {}).every(({ schema }) => Object.keys(schema).length > 0)).toBe(true);
  }
  expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(pathNames(route));
});

test("a repeat with its key gets each refusal of the operation again, also that of records that are too large", () => {
  const responses = document.paths["/accounts/batch"]?.post?.responses ?? {};
  const replayed = Object.entries(responses).filter(([, { headers }]) => "idempotent-replayed" in headers);
  expect(replayed.map(([status]) => status)).toEqual(["200", "400", "403", "409", "412", "413", "422"]);
});

test.each(PUBLIC_ROUTES.filter((route) => operationOf(route).requestBody))(
  "the example of a request to $method $path is accepted",
  (route) => {
    const body = operationOf(route).requestBody?.content["application/json"];
    expect(faultsBy(body?.schema ?? {}, body?.example)).toEqual([]);
    const path = Object.fromEntries(pathNames(route).map((name) => [name, newId()]));
    expect(route.operation.input.safeParse({ ...(body?.example as object), ...path }).error?.issues).toBeUndefined();
  },
);

test("a body is optional where {} is accepted in a POST, as it then may be left out", () => {
  const withBody = PUBLIC_ROUTES.filter((route) => route.method === "POST" && operationOf(route).requestBody);
  const accepting = withBody.filter(
    (route) =>
      route.operation.input.safeParse(Object.fromEntries(pathNames(route).map((name) => [name, newId()]))).success,
  );
  const optional = PUBLIC_ROUTES.filter((route) => operationOf(route).requestBody?.required === false);
  expect(optional.map(({ operation }) => operation.name)).toEqual(accepting.map(({ operation }) => operation.name));
  expect(optional.map(({ path }) => path)).toContain("/leads/{id}/convert");
});

test.each([
  ["MigrationAnalyze", [["ext_instance_url", "ext_access_token"], ["connection_id"]]],
  ["MigrationReconnect", [["ext_access_token"], ["connection_id"]]],
  ["MigrationConflictsDecide", [["ids"], ["object"]]],
])("%s documents the fields of which one group is needed", (name, groups) => {
  const { anyOf = [], properties = {} } = document.components.schemas[name] ?? {};
  expect(anyOf.map(({ required }) => required)).toEqual(groups);
  for (const field of groups.flat()) expect(properties[field]?.description).toBeTruthy();
});

test.each(PUBLIC_ROUTES.filter(({ path, refuses }) => path.startsWith("/leads") && refuses.includes("illegal_state")))(
  "$method $path says that a lead which has been converted can no longer be changed",
  (route) => {
    expect(operationOf(route).description).toContain("can no longer be changed");
  },
);

test("every note belongs to an existing operation", () => {
  const names = new Set(operations.map(({ operationId }) => operationId));
  expect(Object.keys(OPERATION_NOTES).filter((name) => !names.has(name))).toEqual([]);
});

/** A download is answered with bytes. */
const JSON_ROUTES = PUBLIC_ROUTES.filter(({ operation }) => !operation.downloads);

test("every response has a written example", () => {
  expect(
    JSON_ROUTES.filter(({ operation }) => answerExample(operation) === undefined).map(
      ({ operation }) => operation.name,
    ),
  ).toEqual([]);
});

test.each(JSON_ROUTES)("the example of a response of $method $path matches its schema", (route) => {
  const { schema, example } = operationOf(route).responses[route.statuses[0]]?.content?.["application/json"] ?? {
    schema: {},
  };
  expect(faultsBy(schema, example)).toEqual([]);
  expect(route.operation.output.safeParse(example).error?.issues).toBeUndefined();
});

test.each(Object.keys(PROBLEMS) as ErrorCode[])("the problem %s matches the document", async (code) => {
  const fault = { pointer: "/name", code: "invalid_value" as const, detail: "It is wrong." };
  const answer = problemResponse(new AppError(code, "It is wrong.", { errors: [fault] }), newId());
  expect(faultsBy({ $ref: "#/components/schemas/Problem" }, await answer.json())).toEqual([]);
});
