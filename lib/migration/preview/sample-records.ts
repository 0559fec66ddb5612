import { NOBODY } from "@/lib/migration/pipeline/read/people";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { parseMoment } from "@/lib/migration/pipeline/map/convert";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { assertPage } from "@/lib/migration/pipeline/read/assert-page";
import { readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import { withSmallerPages } from "@/lib/migration/pipeline/read/smaller-pages";
import { readByFields } from "@/lib/migration/pipeline/read/split-by-fields";
import { conditionsOf, type Window } from "@/lib/migration/pipeline/read/window";
import type { SampledAs } from "@/lib/migration/preview/preview-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, select, soqlDateTime, type SourceRecord } from "@/lib/salesforce/query";

export interface Sampled {
  record: SourceRecord;
  as: SampledAs[];
}

interface Reading {
  client: SalesforceClient;
  plan: Plan;
  window: Window;
  signal: AbortSignal;
}

/** How many records of each end, and of the middle, are candidates. */
const CANDIDATES = 50;

/** The asked records, as far as a run would read them. */
export async function readAsked(reading: Reading, extIds: readonly string[]): Promise<Sampled[]> {
  const found: Sampled[] = [];
  for await (const page of readAgain(reading, extIds)) for (const record of page) found.push({ record, as: ["asked"] });
  return found;
}

/**
 * Samples an object: the records at both ends of the order of ids, those of the middle of its time, those with the most
 * filled fields, and those whose mapping leaves them out or loses something. Takes three queries.
 */
export async function sampleRecords(reading: Reading, count: number, organizationId: string): Promise<Sampled[]> {
  const first = await ask(reading, "Id");
  const last = await ask(reading, "Id DESC");
  const middle = await askMiddle(reading, first, last);
  const candidates = [...new Map([...first, ...last, ...middle].map((record) => [String(record.Id), record])).values()];
  const risks = new Map(candidates.map((record) => [record, riskOf(reading.plan, record, organizationId)]));
  const by = (score: (record: SourceRecord) => number) =>
    candidates.filter((record) => score(record) > 0).toSorted((one, other) => score(other) - score(one));
  return takeInTurn(count, [
    ["at_risk", by((record) => risks.get(record) ?? 0)],
    ["first", first],
    ["last", last],
    ["most_filled", by(filledOf)],
    ["middle", middle],
  ]);
}

/** The first of each list, then the second of each, until there are `count`, each with every reason to take it. */
function takeInTurn(count: number, lists: readonly (readonly [SampledAs, readonly SourceRecord[]])[]): Sampled[] {
  const taken = new Map<string, Sampled>();
  const longest = Math.max(...lists.map(([, records]) => records.length));
  for (let place = 0; place < longest && taken.size < count; place += 1) {
    for (const [as, records] of lists) {
      const record = records[place];
      const known = taken.get(String(record?.Id));
      if (known) known.as.push(as);
      else if (record && taken.size < count) taken.set(String(record.Id), { record, as: [as] });
    }
  }
  return [...taken.values()];
}

/** Records that are left out come first, then those of which the most fields fit only in part. */
function riskOf(plan: Plan, record: SourceRecord, organizationId: string): number {
  const mapped = transform(plan, record, NOBODY, organizationId);
  if ("issue" in mapped) return Number.MAX_SAFE_INTEGER;
  const { row, plan: shapePlan } = mapped;
  return shapePlan.fields.filter(
    ({ source, target }) => target !== "custom_fields" && Object.hasOwn(row.custom_fields, source),
  ).length;
}

function filledOf(record: SourceRecord): number {
  return Object.values(record).filter((value) => value !== null && value !== "" && value !== false).length;
}

async function askMiddle(
  reading: Reading,
  [first]: readonly SourceRecord[],
  last: readonly SourceRecord[],
): Promise<SourceRecord[]> {
  const [start = null, end = null] = [first, last[0]].map((record) => parseMoment(record?.CreatedDate));
  if (last.length < CANDIDATES || start === null || end === null) return [];
  const middle = new Date((start + end) / 2);
  return ask(reading, "Id", [`CreatedDate >= ${soqlDateTime(middle)}`]);
}

async function ask(
  { client, plan: { object, select: fields }, window, signal }: Reading,
  orderBy: string,
  conditions: readonly string[] = [],
): Promise<SourceRecord[]> {
  const where = [...conditionsOf(object.name, window), ...conditions];
  const { answer, limit: asked } = await withSmallerPages(CANDIDATES, (limit) =>
    readByFields({}, fields, (some, further) =>
      query(client, select({ from: object.name, fields: some, where: [...where, ...further], orderBy, limit }), {
        all: true,
        signal,
      }),
    ),
  );
  assertPage(object.name, answer.records, asked);
  return answer.records;
}
