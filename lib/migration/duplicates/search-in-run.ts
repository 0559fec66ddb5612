import { pool, transaction } from "@/lib/database/db";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { canHaveDuplicates } from "@/lib/migration/configuration/comparable-fields";
import { duplicates } from "@/lib/migration/configuration/duplicate-rules";
import { workSearch } from "@/lib/migration/duplicates/search";
import { deleteSearches, findSearches, type Search, startSearch } from "@/lib/migration/duplicates/searches";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";

/** The complete search of each object of a run, read once per session; null: its records are not compared. */
const searches = new WeakMap<RunSession, Map<SourceObjectName, Search | null>>();

/** The search of an object that is read. Null: its records are not compared. */
export function completeSearch(session: RunSession, object: SourceObjectName): Search | null {
  return searches.get(session)?.get(object) ?? null;
}

/** Searches for the duplicates of an object until `deadline`. True: the object can be read. */
export async function searchBeforeReading(
  session: RunSession,
  object: SourceObjectName,
  deadline: number,
): Promise<boolean> {
  const known = searches.get(session) ?? new Map<SourceObjectName, Search | null>();
  searches.set(session, known);
  if (known.has(object)) return true;
  const search = await searchOfRun(session, object);
  if (search && search.status !== "done") {
    const source = { client: session.client, plan: await planOf(session, object) };
    if (!(await workSearch(session.run, search, source, deadline))) return false;
  }
  known.set(object, search);
  return true;
}

/** The search of this run, started if there is none. Null: there are no rules, and no earlier run merged records. */
async function searchOfRun(
  { run, configuration, window }: RunSession,
  object: SourceObjectName,
): Promise<Search | null> {
  if (!canHaveDuplicates(object)) return null;
  const stored = (await findSearches(run, "run")).find((search) => search.object === object);
  if (stored?.run_number === run.runNumber) return stored;
  if (stored) await deleteSearches(run, "run", (name) => name === object);
  const { choices, mapping } = choicesOf(configuration.objects[object]);
  if (choices.rules.length === 0 && !(await hasMerged(run.organizationId, object))) return null;
  const search = { object, choices, mapping, read_until: window.until };
  return transaction((client) => startSearch(client, run, { ...search, purpose: "run", run_number: run.runNumber }));
}

function choicesOf(chosen: Partial<ObjectConfiguration> = {}): Pick<Search, "choices" | "mapping"> {
  const { duplicates: choices = duplicates.parse({}), fields = {}, values = {} } = chosen;
  return { choices, mapping: { fields, values } };
}

/** Whether an earlier run has merged records into others. These stay merged, whatever the rules are now. */
async function hasMerged(organizationId: string, object: SourceObjectName): Promise<boolean> {
  const { rows } = await pool().query<{ merged: boolean }>(
    "SELECT EXISTS (SELECT FROM ext_aliases WHERE organization_id = $1 AND entity = $2) AS merged",
    [organizationId, SOURCE_OBJECTS[object].resource],
  );
  return rows[0]?.merged ?? false;
}
