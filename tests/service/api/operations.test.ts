import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { type Answer, sendRequest, type ApiRequest, faultsOf } from "@/tests/service/api/support/send-request";
import {
  answersOf,
  type Documented,
  type Operation,
  operationsOf,
  readDocument,
} from "@/tests/service/api/support/document";
import { type Prism, startPrism } from "@/tests/service/api/support/prism";
import { BY_HAND, refusalByHand } from "@/tests/service/api/support/refusals-by-hand";
import { type Refused, REFUSALS } from "@/tests/service/api/support/refusals";
import { exhaustLimit } from "@/tests/service/api/support/exhaust-limit";
import { successful } from "@/tests/service/api/support/successes";
import { validRequest } from "@/tests/service/api/support/valid-requests";
import { type RecordedExchange, corrupt, undetected } from "@/tests/service/api/support/validator-misses";
import { createFixtures, type Fixtures } from "@/tests/service/api/support/fixtures";
import { isExhaustive } from "@/tests/support/exhaustive";
import { readDemo } from "@/tests/service/support/demo";
import { queryAsOwner } from "@/tests/service/setup/query-as-owner";
import { type OwnWeb, startOwnWeb } from "@/tests/service/setup/own-web";

/** More requests a minute than the tests send with one client, and few enough to use up with another. */
const LIMIT = 1200;

/** Headers of every answer, or of HTTP itself. */
const EVERYWHERE = new Set([
  "cache-control",
  "connection",
  "content-length",
  "content-security-policy",
  "content-type",
  "date",
  "keep-alive",
  "permissions-policy",
  "referrer-policy",
  "strict-transport-security",
  "transfer-encoding",
  "vary",
  "x-content-type-options",
  "x-frame-options",
  "sl-violations",
]);

/** Headers of repeated answers, or of answers that say when to try again. */
const SOMETIMES = new Set(["accept-encoding", "idempotent-replayed", "retry-after"]);

const { base_url: baseUrl } = readDemo();
const document = await readDocument();
const operations = operationsOf(document);
const documented = operations.flatMap(answersOf);
const isCommon = ({ operation, code }: Documented) => code !== null && !refusalByHand(operation, code);
/** One step answers them for all operations, so each is tried with every eighth of its own (decision 0080). */
const EVERY = 8;
const common = operations.flatMap((operation, turn) => {
  const own = answersOf(operation).filter(isCommon);
  return own.filter((_, index) => isExhaustive || (index + turn) % Math.min(EVERY, own.length) === 0);
});
const operationsIn = (answers: readonly Documented[]) => new Set(answers.map(({ operation }) => operation.operationId));
const tried = [...documented.filter((answer) => !isCommon(answer)), ...common];
const byName = new Map(documented.map((answer) => [answer.name, answer]));
const isOurFault = ({ status }: Documented) => status >= 500;
const isTooMany = ({ code }: Documented) => code === "too_many_requests";
const namesOf = (isMeant: (answer: Documented) => boolean) => tried.filter(isMeant).map(({ name }) => name);

let fixtures: Fixtures;
let web: OwnWeb;
let validator: Prism;
const received = new Map<string, RecordedExchange>();

beforeAll(async () => {
  const settings = {
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
    SALESFORCE_CLIENT_ID: "crm",
    SALESFORCE_CLIENT_SECRET: "secret",
    LOG_LEVEL: "silent",
  };
  web = await startOwnWeb(settings);
  fixtures = await createFixtures(document, { service: baseUrl, web: web.baseUrl });
  validator = await startPrism(document, `${web.baseUrl}/api/v1`);
});

afterAll(async () => {
  await Promise.all([fixtures?.stop(), web?.stop(), validator?.stop()]);
});

async function requestFor(answer: Documented): Promise<Refused> {
  if (answer.code === "too_many_requests") await exhaustLimit(`${web.baseUrl}/api/v1`, fixtures.tokens.spent);
  if (answer.code === null) return successful(fixtures, answer);
  const make = refusalByHand(answer.operation, answer.code) ?? REFUSALS[answer.code];
  if (!make)
    throw new Error(
      `Nothing says how ${answer.name} comes about: write it in tests/service/api/support/refusals-by-hand.ts.`,
    );
  return make(fixtures, answer.operation);
}

/** Makes the service give one documented answer, and checks it. */
async function tryOut(name: string): Promise<void> {
  const expected = byName.get(name) as Documented;
  const { finish, ...apiRequest } = await requestFor(expected);
  // Salesforce does not know the service itself.
  const origin = expected.code === "source_sign_in_not_set_up" ? inject("validator") : validator.url;
  const { method } = expected.operation;
  const answer = await askOnce(origin, method, apiRequest, finish);
  const { status, body, headers, text } = answer;
  expect({ status, body }).toMatchObject({
    status: expected.status,
    ...(expected.code !== null && { body: { code: expected.code } }),
  });
  expect(faultsOf(answer, expected.code === null ? "both" : "answer")).toEqual([]);
  expect(headersOff(expected, answer)).toEqual([]);
  await follow(answer);
  received.set(name, {
    method,
    path: apiRequest.path,
    status,
    text,
    headers: { "content-type": headers.get("content-type") ?? "" },
  });
}

async function askOnce(
  origin: string,
  method: string,
  apiRequest: ApiRequest,
  finish: Refused["finish"],
): Promise<Answer> {
  try {
    return await sendRequest(origin, method, apiRequest);
  } finally {
    await finish?.();
  }
}

/** Headers that differ from the document: "+" is undocumented, "-" is missing. */
function headersOff({ headers, code }: Documented, answer: Answer): string[] {
  const beyond = [...answer.headers.keys()].filter((name) => !headers.includes(name) && !EVERYWHERE.has(name));
  const missing = headers.filter((name) => !answer.headers.has(name) && !SOMETIMES.has(name) && !isLeftOut(name, code));
  return [...beyond.map((name) => `+${name}`), ...missing.map((name) => `-${name}`)];
}

/** Headers that belong to a status, but not with every code. */
function isLeftOut(name: string, code: string | null): boolean {
  const isUncounted =
    code === "internal_error" || code === "service_unavailable" || code === "source_sign_in_not_set_up";
  // No other scope would help a user who is not an admin.
  return (
    (isUncounted && name.startsWith("ratelimit")) ||
    (name === "www-authenticate" && (code === "forbidden" || code === "storage_quota_exceeded"))
  );
}

/** Checks that a new record is at its Location. */
async function follow({ headers, body }: Answer): Promise<void> {
  const location = headers.get("location");
  if (location !== null)
    expect(await fixtures.make("GET", location.replace("/api/v1", ""))).toMatchObject({ id: body?.id });
}

test("the document has every operation with its answers", () => {
  expect(operations.length).toBeGreaterThan(85);
  expect(documented.length).toBeGreaterThan(1000);
  expect(documented.filter(({ status, code }) => status >= 400 && code === null)).toEqual([]);
  expect(new Set(documented.map(({ name }) => name)).size).toBe(documented.length);
});

test("every code that the document has is tried, and each operation with common ones", () => {
  expect(new Set(tried.map(({ code }) => code))).toEqual(new Set(documented.map(({ code }) => code)));
  expect(operationsIn(common)).toEqual(operationsIn(documented.filter(isCommon)));
});

test("every refusal listed by hand belongs to an operation", () => {
  const all = new Set(documented.map(({ operation, code }) => `${operation.operationId} ${code}`));
  expect(BY_HAND.filter((each) => !all.has(each))).toEqual([]);
});

describe("over HTTP, validated", () => {
  // In sequence, because one client uses up its limit of requests a minute for all of them.
  test.each(namesOf(isTooMany))("%s", tryOut);
  test.each(namesOf((answer) => !isOurFault(answer) && !isTooMany(answer)))("%s", tryOut);

  describe("while the database is unreachable", () => {
    beforeAll(() => web.database.cut());
    afterAll(() => web.database.heal());

    test.each(namesOf(({ code }) => code === "service_unavailable"))("%s", tryOut);
  });

  describe("while a table is missing", () => {
    beforeAll(() => queryAsOwner("ALTER TABLE oauth_tokens RENAME TO mislaid", []));
    afterAll(() => queryAsOwner("ALTER TABLE mislaid RENAME TO oauth_tokens", []));

    test.each(namesOf(({ code }) => code === "internal_error"))("%s", tryOut);
  });

  test.each(operations.filter(({ method }) => method === "POST").map(({ operationId }) => operationId))(
    "%s, repeated with its key, gets the first answer again",
    async (operationId) => {
      const operation = fixtures.operations.get(operationId) as Operation;
      const apiRequest = { ...(await validRequest(fixtures, operation)), headers: { "idempotency-key": randomUUID() } };
      const first = await sendRequest(validator.url, operation.method, apiRequest);
      const second = await sendRequest(validator.url, operation.method, apiRequest);
      expect([second.status, second.text, second.headers.get("idempotent-replayed")]).toEqual([
        first.status,
        first.text,
        "true",
      ]);
      expect([first.status < 300, ...faultsOf(first, "both"), ...faultsOf(second, "both")]).toEqual([true]);
    },
  );

  test("the service works again when the database is reachable", async () => {
    const answer = await sendRequest(validator.url, "GET", { path: "/accounts", token: fixtures.tokens.writer });
    expect([answer.status, ...faultsOf(answer, "both")]).toEqual([200]);
  });

  test("every documented answer that was tried was given", () => {
    expect(tried.map(({ name }) => name).filter((name) => !received.has(name))).toEqual([]);
    expect(received.size).toBe(tried.length);
  });
});

test("the validator finds a fault in a success or a refusal of each operation, and a wrong status", async () => {
  const ofEach = operations.map((operation) =>
    [...received].filter(([name, { text }]) => byName.get(name)?.operation === operation && text !== ""),
  );
  // By turns a success and a refusal, and of each operation another one.
  const byTurns = ofEach.flatMap((answers, index) => {
    const successes = answers.filter(([, { status }]) => status < 300);
    const refusals = answers.filter(([, { status }]) => status >= 400);
    const either = index % 2 === 0 && successes.length > 0 ? successes : refusals;
    return either.filter((_, at) => at === index % either.length);
  });
  const statuses = byTurns.map(([, { status }]) => status);
  const chosen = isExhaustive ? ofEach.flat() : byTurns;
  const corrupted = chosen.map(([name, answer]) => [name, corrupt(answer)] as const);
  const oneOfEach = ofEach.flatMap((answers) => answers.slice(0, 1));
  // A status is compared for all operations alike, and so is an answer that has no fault.
  const oneOfSome = oneOfEach.filter((_, index) => isExhaustive || index % 4 === 0);
  const wrongStatus = oneOfSome.map(([name, answer]) => [`wrongStatus: ${name}`, { ...answer, status: 418 }] as const);
  const untouched = oneOfSome.map(([name, answer]) => [`untouched: ${name}`, answer] as const);
  expect(oneOfEach.length).toBe(operations.length);
  expect(byTurns.length).toBe(operations.length);
  expect(new Set(statuses.filter((status) => status >= 400)).size).toBeGreaterThan(5);
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(0.4 * operations.length);
  expect(await undetected(document, new Map([...corrupted, ...wrongStatus, ...untouched]))).toEqual(
    untouched.map(([name]) => name),
  );
});
