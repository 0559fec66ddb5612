import { partsOf } from "@/lib/migration/duplicates/run-clusters";
import { isLimitReached } from "@/lib/migration/pipeline/api-budget";
import { loadPage, type Page } from "@/lib/migration/pipeline/load/load-page";
import { mapRecords } from "@/lib/migration/pipeline/map-records";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { noteHiddenFields } from "@/lib/migration/pipeline/note-hidden-fields";
import { type BulkProgress, type ObjectProgressRow, setApi } from "@/lib/migration/pipeline/progress";
import { finishJob, prepareJob, type Preparation, recoverBulk } from "@/lib/migration/pipeline/read/bulk-job";
import { type Api, chooseApi, limitsLeft } from "@/lib/migration/pipeline/read/choose-api";
import { readByBulk } from "@/lib/migration/pipeline/read/read-by-bulk";
import { nextPageSize, type PageSize, readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { addRelated } from "@/lib/migration/pipeline/read/related-records";
import { conditionsOf } from "@/lib/migration/pipeline/read/window";
import { refreshStatistics, pageSizeOf, planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import { stopWaiting } from "@/lib/migration/pipeline/waiting";
import { isBulkType } from "@/lib/salesforce/bulk-query";
import { readLimits } from "@/lib/salesforce/describe";
import type { SourceRecord } from "@/lib/salesforce/query";

/**
 * `read`: all records are stored · `time_up`: go on from the checkpoint · `waiting`: the same, after a time ·
 * `overtaken`: the run was stopped, or another worker has gone further.
 */
export type Reading =
  | { outcome: "read"; checkpoint: string | null }
  | { outcome: "waiting"; milliseconds: number }
  | { outcome: "time_up" | "overtaken" };

/**
 * Reads, maps and stores an object page by page from its checkpoint until `deadline` (by `performance.now()`), by Bulk
 * API 2.0 or over REST. Where jobs of the Bulk API end or fail, REST goes on behind the same checkpoint.
 */
export async function readObject(session: RunSession, progress: ObjectProgressRow, deadline: number): Promise<Reading> {
  const plan = await planOf(session, progress.object);
  const read = {
    from: progress.object,
    fields: plan.select,
    types: plan.types,
    where: conditionsOf(progress.object, { ...session.window, since: progress.since }),
    after: progress.checkpoint,
    all: true,
    size: pageSizeOf(session, progress.object),
    complete: (records: SourceRecord[], signal?: AbortSignal) => addRelated(session, progress.object, records, signal),
  };
  const api = progress.api ?? (await beginObject(session, progress, plan));
  const prepared = api === "bulk" ? await prepareJob(session, progress, read, deadline) : null;
  const early = prepared && withoutReading(prepared);
  if (early) return early;
  const work = { session, progress, plan, size: read.size, deadline };
  if (prepared?.status !== "complete") return storePages(work, pagesOf(readByKeyset(session.client, read)));
  try {
    const reading = await storePages(work, readByBulk(session.client, read, prepared.progress));
    if (reading.outcome !== "read") return reading;
    await finishJob(session, progress, prepared.progress);
  } catch (error) {
    await recoverBulk(session, progress, prepared.progress, error);
  }
  return { outcome: "time_up" };
}

/** What becomes of an object whose job has nothing to read. Null: it is to be read. */
function withoutReading(prepared: Preparation): Reading | null {
  if (prepared.status === "pending") return { outcome: "waiting", milliseconds: prepared.milliseconds };
  return prepared.status === "overtaken" ? { outcome: "overtaken" } : null;
}

/**
 * Tells what cannot be read of an object, and chooses its API once, when it is begun, and stores the choice with its
 * reason.
 */
async function beginObject(session: RunSession, { object, expected }: ObjectProgressRow, plan: Plan): Promise<Api> {
  await noteHiddenFields(session, plan);
  const choice = await chooseApi({
    setting: session.configuration.objects[object]?.api ?? "auto",
    records: expected,
    hasPageLimit: plan.object.maxPageRecords !== undefined,
    unsupportedField: plan.select.find((name) => !isBulkType(plan.types[name] ?? "string")) ?? null,
    limits: async () => limitsLeft(await readLimits(session.client), session.client.usage),
  });
  await setApi(session.run, object, choice);
  return choice.api;
}

interface Work {
  session: RunSession;
  progress: ObjectProgressRow;
  plan: Plan;
  size: PageSize;
  deadline: number;
}

/** A page from the source. `bulkJob` is stored with it. */
interface SourcePage {
  records: SourceRecord[];
  bulkJob?: BulkProgress;
}

async function* pagesOf(pages: AsyncIterable<SourceRecord[]>): AsyncGenerator<SourcePage> {
  for await (const records of pages) yield { records };
}

/** Maps and stores pages. While the database stores one, the next one is read and mapped. */
async function storePages(
  { session, progress, plan, size, deadline }: Work,
  pages: AsyncIterable<SourcePage>,
): Promise<Reading> {
  let after = progress.checkpoint;
  let storing: Promise<boolean> = Promise.resolve(true);
  try {
    for await (const { records, bulkJob } of pages) {
      for await (const { records: part, clusters, isLast } of partsOf(session, plan, records)) {
        const { outcomes, unchanged } = await mapRecords(session, plan, part);
        if (!(await storing)) return { outcome: "overtaken" };
        if (after === progress.checkpoint) await stopWaiting(session.run);
        const last = String(part.at(-1)?.Id);
        const isDelta = session.kind === "delta";
        const page = { outcomes, unchanged, after, last, clusters, isDelta, ...(bulkJob && isLast && { bulkJob }) };
        storing = storePage(session, plan, page, size);
        // A failure is handled where the promise is awaited. Until then it must not count as unhandled.
        storing.catch(() => undefined);
        after = last;
      }
      if (performance.now() >= deadline || isLimitReached(session.api))
        return await unlessOvertaken(storing, { outcome: "time_up" });
    }
    return await unlessOvertaken(storing, { outcome: "read", checkpoint: after });
  } finally {
    // However the reading ends, the page that is being stored is finished first.
    await storing.catch(() => undefined);
  }
}

async function unlessOvertaken(storing: Promise<boolean>, reading: Reading): Promise<Reading> {
  return (await storing) ? reading : { outcome: "overtaken" };
}

interface MappedPage extends Omit<Page, "unchanged"> {
  unchanged: { records: number; characters: number };
}

/** Stores a page and sets the size of the next ones. False: the run was stopped, or another worker has gone further. */
async function storePage(
  session: RunSession,
  plan: Plan,
  { unchanged, ...page }: MappedPage,
  size: PageSize,
): Promise<boolean> {
  const { run, configuration } = session;
  const characters = await loadPage(run, plan, { ...page, unchanged: unchanged.records }, configuration);
  if (characters === null) return false;
  if (page.after === null) await refreshStatistics(session, plan);
  const records = page.outcomes.length + unchanged.records;
  const max = Math.min(size.max ?? Infinity, plan.object.maxPageRecords ?? Infinity);
  size.records = nextPageSize(records, characters + unchanged.characters, max);
  return true;
}
