import { setImmediate } from "node:timers/promises";

import { completeSearch } from "@/lib/migration/duplicates/search-in-run";
import { findDigests } from "@/lib/migration/pipeline/load/find-digests";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { contextOf, digestOf, withDigest } from "@/lib/migration/pipeline/map/source-digest";
import { type Outcome, transform } from "@/lib/migration/pipeline/map/transform";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import type { SourceRecord } from "@/lib/salesforce/query";

interface Mapped {
  outcomes: Outcome[];
  /** The records that are here already with just this content, and their length as JSON. */
  unchanged: { records: number; characters: number };
}

/** Maps records, except, where a run repeats an earlier one, those that it would not change. */
export async function mapRecords(session: RunSession, plan: Plan, records: readonly SourceRecord[]): Promise<Mapped> {
  const { people, run } = session;
  const context = contextOf(plan);
  const digested = await inTurns(records, (record) => ({ record, ...digestOf(record, people, context) }));
  const isUnchanged = await unchangedIn(session, plan, digested);
  const [changed, unchanged] = [digested.filter((each) => !isUnchanged(each)), digested.filter(isUnchanged)];
  const outcomes = await inTurns(changed, (each) =>
    withDigest(transform(plan, each.record, people, run.organizationId), each),
  );
  const characters = unchanged.reduce((sum, each) => sum + each.characters, 0);
  return { outcomes, unchanged: { records: unchanged.length, characters } };
}

interface Digested {
  record: SourceRecord;
  digest: string;
}

/**
 * Which records need not be imported again. What becomes of duplicates depends on other records, so where they are
 * searched for, all are imported. A delta reads what was changed.
 */
async function unchangedIn(
  session: RunSession,
  plan: Plan,
  digested: readonly Digested[],
): Promise<(each: Digested) => boolean> {
  const { kind, run } = session;
  if (kind !== "full" || run.runNumber === 1 || completeSearch(session, plan.object.name)) return () => false;
  const ids = digested.map(({ record }) => String(record.Id));
  const digests = await findDigests(run.organizationId, plan, ids);
  return ({ record, digest }) => digests[String(record.Id)] === digest;
}

/** Records that are worked on in one go, which takes half a millisecond. */
const RECORDS_PER_TURN = 10;

/**
 * Works on records one by one, and takes the answers of the database in between: it would wait for its next statement
 * while a whole page is worked on.
 */
async function inTurns<Each, Result>(all: readonly Each[], work: (each: Each) => Result): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, each] of all.entries()) {
    if (index % RECORDS_PER_TURN === 0) await setImmediate();
    results.push(work(each));
  }
  return results;
}
