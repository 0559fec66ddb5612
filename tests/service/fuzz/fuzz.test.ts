import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { isExhaustive } from "@/tests/support/exhaustive";
import { readFuzzOptions } from "@/tests/support/fuzz-options";

import { type ApiDocument, readDocument } from "@/tests/service/fuzz/support/document";
import { raceFuzz, tryRace } from "@/tests/service/fuzz/support/race-fuzz";
import { requestFuzz, tryRequest } from "@/tests/service/fuzz/support/request-fuzz";
import { valueOf } from "@/tests/service/fuzz/support/schema-arbitrary";
import { Tally } from "@/tests/service/fuzz/support/tally";
import { createFixtures, type Fixtures } from "@/tests/service/fuzz/support/fixtures";

const { requests, seed } = readFuzzOptions(isExhaustive ? 5_000 : 500);
/** Each worker sends one request, or race, after the other. */
const WORKERS = 8;
/** Of so many requests of one operation, some succeed: at least a tenth of them are right. */
const ENOUGH_OF_ONE = 60;
/** In a run of this size, every operation has enough. */
const ENOUGH_REQUESTS = 20_000;
/** They need a migration in a state that it hardly ever has, between requests that cancel or undo it. */
const NEEDS_STATE = new Set([
  "run_migration",
  "pause_migration",
  "resume_migration",
  "cancel_migration",
  "retry_migration",
  "undo_migration",
  "start_migration_delta",
  "schedule_migration_deltas",
  "decide_migration_conflicts",
  "prove_migration",
  "get_migration_proof",
  "preview_migration",
  "download_file",
  // A connection that is there, and an app that is registered at Salesforce.
  "disconnect_org",
  "reconnect_migration",
  "authorize_connection",
  // Choices that fit the org's report.
  "put_migration_configuration",
  "import_migration_configuration",
  "make_inactive_members",
  "preview_migration_duplicates",
]);
let document: ApiDocument;
let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await createFixtures();
  document = await readDocument(fixtures.baseUrl);
});
afterAll(() => fixtures?.stop());

/** Sends the requests. Returns the faults, at most one per worker, with the smallest request that shows each. */
async function sendAll(tally: Tally): Promise<string[]> {
  const request = requestFuzz(document, fixtures).map((fuzz) => () => tryRequest(fuzz, fixtures, tally));
  const race = raceFuzz.map((fuzz) => () => tryRace(fuzz, document, fixtures, tally));
  const property = fc.asyncProperty(
    fc.oneof({ weight: 39, arbitrary: request }, { weight: 1, arbitrary: race }),
    (attempt) => attempt(),
  );
  const numRuns = Math.ceil(requests / WORKERS);
  const runs = await Promise.all(
    Array.from({ length: WORKERS }, (_, worker) => fc.check(property, { numRuns, seed: seed + worker })),
  );
  return runs
    .filter(({ failed }) => failed)
    .map(({ errorInstance, numShrinks }) => `${String(errorInstance)}(shrunk ${numShrinks} times)`);
}

test("an unknown keyword in the document stops the run", () => {
  const schema = { type: "number", multipleOf: 5 };
  expect(() => valueOf(schema, () => undefined, "amount")).toThrow("The schema of amount uses `multipleOf`");
});

test("the API answers every request as documented", { timeout: 3_700_000 }, async () => {
  const tally = new Tally(document.operations.map(({ id }) => id));
  const began = performance.now();
  const faults = await sendAll(tally);
  const rate = Math.round(tally.sent / ((performance.now() - began) / 1000));
  console.info(`FUZZ_SEED=${seed}: ${tally.sent} requests, ${rate} a second; ${tally.byStatus()}`);
  console.info(`Requests of each operation, and how many of them were answered 2xx: ${tally.byOperation()}`);
  console.info(
    `Right by the document, and refused for: ${[...tally.rules].map(([why, count]) => `${why} (${count})`).join("; ")}`,
  );
  expect(faults.join("\n\n")).toBe("");
  expect(fixtures.receiver.received.filter(({ body }) => body.includes(fixtures.marker))).toEqual([]);
  expect(neverCarriedOut(tally)).toEqual([]);
});

/** The operations that never succeeded, but for those that the tests of migrations carry out. */
function neverCarriedOut({ operations, sent: all }: Tally): string[] {
  const never = [...operations].filter(
    ([id, { sent, good }]) => good === 0 && (sent >= ENOUGH_OF_ONE || all >= ENOUGH_REQUESTS) && !NEEDS_STATE.has(id),
  );
  return never.map(([id, { sent }]) => `${id}, sent ${sent} times`);
}
