import type { PoolClient } from "pg";

import { setStatementTimeout } from "@/lib/database/db";
import { postgresCode, QUERY_CANCELED } from "@/lib/database/error-codes";
import { rolledBack } from "@/lib/database/transactions";
import { AppError } from "@/lib/errors";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { PARENT_NOT_HERE, withoutNeeds } from "@/lib/migration/pipeline/load/leave-out";
import type { LoadTarget } from "@/lib/migration/pipeline/load/merge/store-merges";
import { linkSelfReferencesOf } from "@/lib/migration/pipeline/load/references";
import { loadOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import { type Plan, selfLinksOf, type ShapePlan } from "@/lib/migration/pipeline/map/plan";
import { type Issue, type Outcome, transform } from "@/lib/migration/pipeline/map/transform";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import type { Records } from "@/lib/migration/preview/read-parents";
import { findStored, mergedInto, type Stored } from "@/lib/migration/preview/find-stored";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A person waits, and others wait for the rows that a preview writes. */
const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 2000;

/** What the import made of a record. */
export interface Rehearsed {
  object: SourceObjectName;
  extId: string;
  source: SourceRecord;
  plan: ShapePlan;
  outcome: "created" | "updated" | "unchanged" | "skipped" | "failed" | "merged";
  issue: Issue | null;
  before: Stored | null;
  after: Stored | null;
  /** The id of the record here, or the one that a new record would get. */
  recordId: string | null;
}

/**
 * Imports records as a run does, each group in the order of import, in a transaction that is always rolled back. The
 * records are read before, so that no lock waits for the org.
 */
export async function rehearse(
  session: RunSession,
  groups: readonly [parents: Records, sampled: Records],
): Promise<[parents: Rehearsed[], sampled: Rehearsed[]]> {
  const [parents, sampled] = [await mapped(session, groups[0]), await mapped(session, groups[1])];
  return rolledBack<[Rehearsed[], Rehearsed[]]>(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    return [await importPages(client, session, parents), await importPages(client, session, sampled)];
  }).catch((error: unknown) => {
    throw postgresCode(error) === QUERY_CANCELED ? tooSlow(error) : error;
  });
}

function tooSlow(cause: unknown): AppError {
  const detail =
    "The preview took longer than the 10 seconds that it may hold up others. It changed nothing; try again when less " +
    "is going on, or with fewer records.";
  return new AppError("too_many_requests", detail, { retryAfter: 10, cause });
}

interface Page {
  plan: Plan;
  records: { source: SourceRecord; outcome: Outcome }[];
}

async function mapped(session: RunSession, records: Records): Promise<Page[]> {
  const pages: Page[] = [];
  for (const object of IMPORT_ORDER) {
    const own = records.get(object) ?? [];
    if (own.length === 0) continue;
    const plan = await planOf(session, object);
    const { people, run } = session;
    const page = own.map((source) => ({ source, outcome: transform(plan, source, people, run.organizationId) }));
    pages.push({ plan, records: page });
  }
  return pages;
}

async function importPages(client: PoolClient, session: RunSession, pages: readonly Page[]): Promise<Rehearsed[]> {
  const rehearsed: Rehearsed[] = [];
  for (const page of pages) rehearsed.push(...(await importPage(client, session, page)));
  return rehearsed;
}

async function importPage(client: PoolClient, session: RunSession, { plan, records }: Page): Promise<Rehearsed[]> {
  const { run, configuration } = session;
  const extIds = records.map(({ source }) => String(source.Id));
  const before = await findStored(client, run, plan, extIds);
  const merged = await mergedInto(client, run, plan, extIds);
  const outcomes = records.map(({ outcome }) => outcome).filter((outcome) => !merged.has(extIdOf(outcome)));
  const choices = { send_events: false, repeat: configuration.repeat };
  const target = { client, run, plan, choices };
  const loaded = await loadOutcomes(target, outcomes, null);
  const issues = await loadStaying(target, outcomes, loaded.issues, before);
  await linkSelfReferencesOf(client, plan.main, run, extIds);
  const after = await findStored(client, run, plan, extIds);
  const byExtId = new Map(issues.map((issue) => [issue.ext_id, issue]));
  return records.map(({ source, outcome }) => {
    const extId = extIdOf(outcome);
    const found = { before: before.get(extId) ?? null, after: after.get(extId) ?? null };
    const issue = byExtId.get(extId) ?? null;
    const made = "issue" in outcome ? plan.main : outcome.plan;
    return {
      object: plan.object.name,
      extId,
      source,
      plan: made,
      outcome: merged.has(extId) ? "merged" : outcomeOf(found, issue),
      issue,
      ...found,
      recordId: merged.get(extId) ?? (found.after ?? found.before)?.view.id ?? null,
    };
  });
}

/**
 * Loads what is here and stays, though a record of its own object that it needs is not here, as the end of an object
 * does. Returns the issues that are left.
 */
async function loadStaying(
  target: LoadTarget,
  outcomes: readonly Outcome[],
  issues: Issue[],
  before: ReadonlyMap<string, Stored>,
): Promise<Issue[]> {
  const fields = new Set(selfLinksOf(target.plan.main).map(({ field }) => field));
  const staying = new Set(
    issues.flatMap(({ code, field, ext_id: extId }) =>
      code === PARENT_NOT_HERE && fields.has(field ?? "") && before.has(extId) ? [extId] : [],
    ),
  );
  if (staying.size === 0) return issues;
  const rows = outcomes.filter((outcome) => staying.has(extIdOf(outcome))).map(withoutNeeds);
  const again = await loadOutcomes(target, rows, null);
  return [...issues.filter(({ ext_id: extId }) => !staying.has(extId)), ...again.issues];
}

function extIdOf(outcome: Outcome): string {
  return "issue" in outcome ? outcome.issue.ext_id : outcome.row.ext_id;
}

function outcomeOf({ before, after }: Pick<Rehearsed, "before" | "after">, issue: Issue | null): Rehearsed["outcome"] {
  if (issue) return issue.outcome;
  if (!before) return "created";
  return before.resource === after?.resource && before.view.version === after.view.version ? "unchanged" : "updated";
}
