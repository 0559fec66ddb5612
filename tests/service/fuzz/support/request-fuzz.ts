import * as fc from "fast-check";

import { type Break, breaksOf } from "@/tests/service/fuzz/support/breaks";
import type { ApiDocument, ApiOperation } from "@/tests/service/fuzz/support/document";
import { type Draft, draftOf, note, write } from "@/tests/service/fuzz/support/draft";
import { faultOf, type Intent } from "@/tests/service/fuzz/support/judge";
import { meaningsOf } from "@/tests/service/fuzz/support/meanings";
import { noise } from "@/tests/service/fuzz/support/noise";
import type { Problem } from "@/tests/service/fuzz/support/problem";
import { rulesBehind } from "@/tests/service/fuzz/support/rules";
import { asCurl, send } from "@/tests/service/fuzz/support/send";
import type { Tally } from "@/tests/service/fuzz/support/tally";
import type { Fixtures } from "@/tests/service/fuzz/support/fixtures";

/** One request, and what it is meant to be. */
export interface RequestFuzz {
  draft: Draft;
  breaks: Break[];
  intent: Intent;
}

/** Operations that call another server, or take long. */
const SELDOM: Record<string, number> = {
  analyze_migration: 2,
  run_migration: 2,
  preview_migration_duplicates: 2,
  preview_migration: 2,
  authorize_connection: 4,
  recover_webhook: 4,
};

/** Requests of every operation: valid ones, ones with one or a few faults, and ones changed at random. */
export function requestFuzz(document: ApiDocument, fixtures: Fixtures): fc.Arbitrary<RequestFuzz> {
  return fc.oneof(
    ...document.operations.map((operation) => ({
      weight: SELDOM[operation.id] ?? 10,
      arbitrary: fuzzOf(operation, document, fixtures),
    })),
  );
}

function fuzzOf(operation: ApiOperation, document: ApiDocument, fixtures: Fixtures): fc.Arbitrary<RequestFuzz> {
  const meanings = meaningsOf(operation, document, fixtures);
  const draft = draftOf(operation, meanings, fixtures);
  const one = breaksOf(operation, meanings, fixtures);
  const some = fc.oneof(
    { weight: 4, arbitrary: one.map((each) => [each]) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }) },
  );
  const fuzz = (intent: Intent, breaks: fc.Arbitrary<Break[]>) =>
    fc.record({ draft, breaks, intent: fc.constant(intent) });
  return fc.oneof(
    { weight: 9, arbitrary: fuzz("right", fc.constant([])) },
    { weight: 9, arbitrary: fuzz("wrong", some) },
    { weight: 2, arbitrary: fuzz("anything", fc.array(noise, { minLength: 1, maxLength: 2 })) },
  );
}

/** Sends the request and checks the answer. Throws with the request as a shell command if something is wrong. */
export async function tryRequest(
  { draft: meant, breaks, intent }: RequestFuzz,
  fixtures: Fixtures,
  tally: Tally,
): Promise<void> {
  const draft = breaks.reduce((corrupted, { corrupt }) => corrupt(corrupted), meant);
  const ready = write(draft, fixtures);
  const { wire, isReal } = ready;
  const failed = (what: string) =>
    new Error(
      `${draft.operation.id}, meant to be ${[intent, ...breaks.map(({ how }) => how)].join(", ")}: ` +
        `${what}\n${asCurl(fixtures.baseUrl, wire)}\n`,
    );
  const answer = await send(fixtures.baseUrl, wire).catch((error: unknown) => {
    throw failed(String(error));
  });
  tally.note(draft.operation.id, answer.status);
  note(draft, ready, answer, fixtures);
  const fault = faultOf({
    draft,
    wire,
    answer,
    intent: isReal || intent === "wrong" ? intent : "anything",
    marker: fixtures.marker,
  });
  if (fault) throw failed(`the answer is ${fault}: ${answer.text.slice(0, 1500)}`);
  if (intent === "right" && answer.status >= 400)
    tally.noteRules(rulesBehind(draft, JSON.parse(answer.text) as Problem));
}
