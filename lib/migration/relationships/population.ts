import { batchesOf } from "@/lib/batches";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { textOf } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { countGroups } from "@/lib/migration/pipeline/read/count-groups";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { patternsWithOccurrences } from "@/lib/migration/pipeline/read/related-records";
import {
  closedTasks,
  NOT_DELETED,
  type Seen,
  sees,
  tasksThatAreNoCopies,
} from "@/lib/migration/relationships/copies-of-emails";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { count, select, soqlIn } from "@/lib/salesforce/query";

/** What the counts of one migration work on. */
export interface Counting extends Seen {
  client: SalesforceClient;
  organizationId: string;
  configuration: Configuration;
  signal: AbortSignal;
}

/** The records of an object for which the run looks at their links: those that it leaves out for no other reason. */
export interface Population {
  object: SourceObjectName;
  /** Lists of conditions. Its records meet all those of one list, and none meets those of two. */
  where: string[][];
  /** Ids of records that are left out for another reason. */
  without: string[];
  /** Ids of records that belong to it although they do not meet `where`, if they meet `ofFurther`. */
  further: string[];
  ofFurther: string[];
}

/** `deleted`: the ids of the records that were deleted here. */
export async function populationOf(
  counting: Counting,
  object: SourceObjectName,
  deleted: readonly string[],
): Promise<Population> {
  const where = conditionsOf(counting, object);
  const without = new Set(deleted);
  if ((object === "Task" || object === "Event") && sees(counting, object, "IsRecurrence"))
    for (const part of where) for (const id of await occurringPatterns(counting, object, part)) without.add(id);
  const ofFurther = [NOT_DELETED, ...(object === "Task" ? closedTasks(counting) : [])];
  return { object, where, without: [...without], further: [], ofFurther };
}

function conditionsOf(counting: Counting, object: SourceObjectName): string[][] {
  const where = [NOT_DELETED, ...(SOURCE_OBJECTS[object].where ?? [])];
  if (object === "Event" && sees(counting, "Event", "IsChild")) where.push("IsChild = false");
  return (object === "Task" ? tasksThatAreNoCopies(counting) : [[]]).map((part) => [...where, ...part]);
}

/** The patterns of series whose occurrences are imported instead. */
async function occurringPatterns(
  { client, signal }: Counting,
  object: "Task" | "Event",
  where: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  const read = { from: object, fields: ["Id"], where: [...where, "IsRecurrence = true"], after: null, all: true };
  for await (const page of readByKeyset(client, { ...read, signal, size: { records: IDS_PER_QUERY } })) {
    const ids = page.map(({ Id }) => String(Id));
    found.push(...(await patternsWithOccurrences(client, object, ids, [NOT_DELETED], signal)));
  }
  return found;
}

/** `field IN (…)` for as many ids as one statement takes, again and again. */
function* among(field: string, ids: readonly string[]): Generator<string> {
  for (const some of batchesOf(ids, IDS_PER_QUERY)) yield soqlIn(field, some);
}

/** The number of records of a population that meet the conditions. */
export async function countIn(
  { client, signal }: Counting,
  population: Population,
  where: readonly string[],
): Promise<number> {
  let records = 0;
  for (const { conditions, sign } of partsOf(population)) {
    const soql = select({ fields: ["COUNT()"], from: population.object, where: [...conditions, ...where] });
    records += sign * (await count(client, soql, { all: true, signal }));
  }
  return records;
}

/** The number of records of a population that meet the conditions, by the value of a field. */
export async function countInByValue(
  { client, signal }: Counting,
  population: Population,
  field: string,
  where: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { conditions, sign } of partsOf(population)) {
    const groups = await countGroups(client, population.object, field, [...conditions, ...where], signal);
    for (const [value, records] of groups) counts.set(value, (counts.get(value) ?? 0) + sign * records);
  }
  return counts;
}

/** The conditions whose counts, added and subtracted, are those of a population. */
function* partsOf(population: Population): Generator<{ conditions: string[]; sign: 1 | -1 }> {
  for (const where of population.where) {
    yield { conditions: where, sign: 1 };
    for (const ids of among("Id", population.without)) yield { conditions: [...where, ids], sign: -1 };
  }
  for (const ids of among("Id", population.further)) yield { conditions: [...population.ofFurther, ids], sign: 1 };
}

/** The number of records by the value of a field, for these values only. */
export async function countInAmong(
  counting: Counting,
  population: Population,
  field: string,
  values: readonly string[],
  where: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const ids of among(field, values))
    for (const [value, records] of await countInByValue(counting, population, field, [...where, ids]))
      counts.set(value, records);
  return counts;
}

/** What `wanted`, by default the id, is in the records of a population whose field has one of the values. */
export async function idsAmong(
  { client, signal }: Counting,
  population: Population,
  { field, wanted = "Id", where = [] }: { field: string; wanted?: string; where?: readonly string[] },
  values: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  const without = new Set(population.without);
  const fields = [...new Set(["Id", wanted])];
  for (const condition of among(field, values))
    for (const part of population.where) {
      const read = { from: population.object, fields, where: [...part, ...where, condition], all: true };
      const size = { records: MAX_PAGE_RECORDS };
      for await (const page of readByKeyset(client, { ...read, after: null, signal, size })) {
        const counted = page.filter(({ Id }) => !without.has(String(Id)));
        found.push(...counted.flatMap((record) => textOf(record, wanted) ?? []));
      }
    }
  return found;
}
