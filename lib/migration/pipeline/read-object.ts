import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { loadPage, type Page } from "@/lib/migration/pipeline/load/load-page";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import type { ObjectProgressRow } from "@/lib/migration/pipeline/progress";
import {
  pageSizeFor,
  MIN_PAGE_RECORDS,
  type PageSize,
  readByKeyset,
} from "@/lib/migration/pipeline/read/read-by-keyset";
import { attachFiles } from "@/lib/migration/pipeline/read/entry-files";
import { attachTasks, attachVisibility, markPatterns } from "@/lib/migration/pipeline/read/related-records";
import { conditionsOf } from "@/lib/migration/pipeline/read/window";
import { refreshStatistics, planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import { stopWaiting } from "@/lib/migration/pipeline/waiting";
import type { SourceRecord } from "@/lib/salesforce/query";

const FIRST_PAGE_RECORDS = 250;

/** Limits the growth of pages, because the size of the next records is unknown. */
const MAX_GROWTH = 4;

/**
 * `read`: all records are stored · `time_up`: go on later from the checkpoint · `overtaken`: the run was stopped, or
 * another worker has gone further.
 */
export type Reading = { outcome: "read"; checkpoint: string | null } | { outcome: "time_up" | "overtaken" };

/**
 * Reads, maps and stores an object page by page from its checkpoint until `deadline` (milliseconds since 1970). While
 * the database stores a page, the next one is read and mapped.
 */
export async function readObject(session: RunSession, progress: ObjectProgressRow, deadline: number): Promise<Reading> {
  const plan = await planOf(session, progress.object);
  const size: PageSize = { records: FIRST_PAGE_RECORDS };
  const read = {
    from: progress.object,
    fields: plan.select,
    where: conditionsOf(progress.object, session.window),
    after: progress.checkpoint,
    all: true,
    size,
  };
  let after = progress.checkpoint;
  let storing: Promise<boolean> = Promise.resolve(true);
  try {
    for await (const records of readByKeyset(session.client, read)) {
      await addRelated(session, progress.object, records);
      const outcomes = records.map((record) => transform(plan, record, session.people, session.run.organizationId));
      if (!(await storing)) return { outcome: "overtaken" };
      if (after === progress.checkpoint) await stopWaiting(session.run);
      const page = { outcomes, after, last: String(records.at(-1)?.Id) };
      storing = storePage(session, plan, page, size);
      // A failure is handled where the promise is awaited. Until then it must not count as unhandled.
      storing.catch(() => undefined);
      after = page.last;
      if (Date.now() >= deadline) return (await storing) ? { outcome: "time_up" } : { outcome: "overtaken" };
    }
    return (await storing) ? { outcome: "read", checkpoint: after } : { outcome: "overtaken" };
  } finally {
    // However the reading ends, the page that is being stored is finished first.
    await storing.catch(() => undefined);
  }
}

/** Adds data of related records to records. */
async function addRelated(
  session: RunSession,
  object: MigratedObjectName,
  records: readonly SourceRecord[],
): Promise<void> {
  if (object === "EmailMessage") await attachTasks(session, records);
  if (object === "FeedComment") await attachVisibility(session.client, records);
  if (session.configuration.threads.attachments) await attachFiles(session.client, object, records);
  if (object === "Task" || object === "Event") await markPatterns(session, object, records);
}

/** Stores a page and sets the size of the next ones. False: the run was stopped, or another worker has gone further. */
async function storePage(session: RunSession, plan: Plan, page: Page, size: PageSize): Promise<boolean> {
  const characters = await loadPage(session.run, plan, page, session.configuration.send_events);
  if (characters === null) return false;
  if (page.after === null) await refreshStatistics(plan);
  const records = page.outcomes.length;
  const max = Math.min(MAX_GROWTH * records, plan.object.maxPageRecords ?? Infinity, pageSizeFor(records, characters));
  size.records = Math.max(MIN_PAGE_RECORDS, max);
  return true;
}
