import { addWhoOfTasks } from "@/lib/migration/pipeline/email-contacts";
import { loadPage } from "@/lib/migration/pipeline/load-page";
import type { Line } from "@/lib/migration/pipeline/lines";
import { type PageSize, readByKeyset } from "@/lib/migration/pipeline/read-by-keyset";
import { refreshStatistics } from "@/lib/migration/pipeline/refresh-statistics";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import { conditionsOf } from "@/lib/migration/pipeline/window";
import { transform } from "@/lib/migration/pipeline/transform";

const FIRST_PAGE = 250;
/** Pages grow as long as they stay light: what the next records weigh is not known before they are there. */
const GROWTH = 4;
/** What Salesforce gives at most. */
const LARGEST_PAGE = 2000;
const SMALLEST_PAGE = 100;
/** Long texts make pages heavy; memory holds two pages at a time. */
const PAGE_CHARACTERS = 3_000_000;

/** `read`: nothing is left · `time_up`: go on later from the checkpoint · `overtaken`: the run was stopped, or somebody else went on. */
export type Reading = { outcome: "read"; checkpoint: string | null } | { outcome: "time_up" | "overtaken" };

/** Reads, maps and stores an object page by page, from its checkpoint until `deadline` (milliseconds since 1970). */
export async function readObject(session: RunSession, line: Line, deadline: number): Promise<Reading> {
  const plan = await planOf(session, line.object);
  const size: PageSize = { records: FIRST_PAGE };
  const read = { from: line.object, fields: plan.select, where: conditionsOf(session.window), after: line.checkpoint, all: true, size };
  let after = line.checkpoint;
  for await (const records of readByKeyset(session.client, read)) {
    if (line.object === "EmailMessage") await addWhoOfTasks(session.client, records);
    const outcomes = records.map((record) => transform(plan, record, session.people, session.run.organizationId));
    const last = String(records.at(-1)?.Id);
    const characters = await loadPage(session.run, plan, { outcomes, after, last });
    if (characters === null) return { outcome: "overtaken" };
    if (after === null) await refreshStatistics(plan);
    after = last;
    size.records = nextSize(records.length, characters);
    if (Date.now() >= deadline) return { outcome: "time_up" };
  }
  return { outcome: "read", checkpoint: after };
}

/** As many records as make a page of {@link PAGE_CHARACTERS}, by what the last page weighed. */
function nextSize(records: number, characters: number): number {
  const light = Math.floor((PAGE_CHARACTERS / Math.max(1, characters)) * records);
  return Math.max(SMALLEST_PAGE, Math.min(LARGEST_PAGE, GROWTH * records, light));
}
