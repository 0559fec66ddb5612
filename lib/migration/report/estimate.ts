import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { ApiChoice } from "@/lib/migration/pipeline/read/choose-api";
import { pageSizeFor } from "@/lib/migration/pipeline/read/read-by-keyset";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { isImportable } from "@/lib/migration/report/facts";
import type { ObjectMapping, SampleMeasure } from "@/lib/migration/report/map-object";
import { estimateFiles, type MeasuredFiles } from "@/lib/migration/report/measures/measure-files";
import { bulkCalls, canReadByBulk, type RemainingLimits, planApi } from "@/lib/migration/report/plan-api";
import type { Report } from "@/lib/migration/report/report-schema";
import type { Survey } from "@/lib/migration/report/survey";
import { type LeftOutByObject, sumLeftOut } from "@/lib/migration/report/wording";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";

/** Records that are stored per second where the analysis could not measure it: half of what a small machine does. */
const ASSUMED_PER_SECOND = 3000;

/** Describe, two counts, the small first pages, and a last page for records created meanwhile. */
const CALLS_PER_OBJECT = 6;

/** Users, queues, identity and clock. */
const CALLS_PER_RUN = 6;

/**
 * Kinds of lookups that a page takes in addition, each of so many records: of the Tasks, recipients and files of
 * e-mails, of the files of posts, of the posts of comments, of the lines and contacts of opportunities, of prices, and
 * of series and further people, which few activities have.
 */
const LOOKUPS: Partial<Record<SourceObjectName, [kinds: number, records: number]>> = {
  EmailMessage: [4, IDS_PER_QUERY],
  FeedItem: [1, IDS_PER_QUERY],
  FeedComment: [2, IDS_PER_QUERY],
  Opportunity: [2, IDS_PER_QUERY],
  Product2: [1, IDS_PER_QUERY],
  Task: [2, MAX_PAGE_RECORDS],
  Event: [2, MAX_PAGE_RECORDS],
};

/** The cost of reading and storing one object. */
interface Work {
  object: SourceObjectName;
  records: number;
  sample: SampleMeasure;
  /** API requests by the API that reads the object, with those around the reading. */
  calls: { rest: number; bulk: number };
  /** The one that a run with the defaults would choose today. */
  choice: ApiChoice;
  seconds: number;
}

interface Found extends RemainingLimits {
  survey: Survey;
  mappings: Partial<Record<SourceObjectName, ObjectMapping>>;
  leftOut: LeftOutByObject;
  /** API requests in 24 hours; null if the org does not say. */
  callsDaily: number | null;
  /** The files of the org; null if the Salesforce user may not see them, undefined in older drafts. */
  files?: MeasuredFiles | null | undefined;
}

/** Estimates a run with the defaults: records, time and API requests, from the time that reading the sample took. */
export async function estimateRun(found: Found): Promise<Report["estimate"]> {
  const { survey, mappings } = found;
  const works: Work[] = [];
  for (const object of IMPORT_ORDER) {
    const mapping = mappings[object];
    const count = survey.objects.find(({ name }) => name === object)?.count ?? null;
    if (!mapping || count === null || !isImportable(found, object)) continue;
    const choice = await planApi(object, count, mapping, found);
    works.push({ object, choice, ...workOf(object, count, mapping, survey.latency) });
  }
  const records = works.reduce((sum, work) => sum + work.records, 0);
  const leftOut = Object.values(found.leftOut).flat();
  const [skipped, failed] = [sumLeftOut(leftOut, "skipped"), sumLeftOut(leftOut, "failed")];
  const files = found.files && estimateFiles(found.files, records - skipped - failed, survey.latency);
  return {
    records,
    imported: records - skipped - failed,
    skipped,
    failed,
    seconds: Math.ceil(works.reduce((sum, { seconds }) => sum + seconds, 0)),
    api_calls: works.reduce((sum, { calls, choice }) => sum + calls[choice.api], CALLS_PER_RUN),
    api_calls_remaining: found.callsRemaining,
    budget: budgetOf(works, found),
    timeline: timelineOf(works),
    ...(files !== undefined && { files }),
  };
}

/** The API requests that a run needs, against those that are left. */
function budgetOf(
  works: readonly Work[],
  { callsRemaining: left, callsDaily: daily }: Pick<Found, "callsRemaining" | "callsDaily">,
): NonNullable<Report["estimate"]["budget"]> {
  const sum = (calls: (work: Work) => number) => works.reduce((total, work) => total + calls(work), CALLS_PER_RUN);
  const rest = sum((work) => work.calls.rest);
  const least = sum((work) => Math.min(work.calls.rest, work.calls.bulk));
  const fits = left !== null && (rest <= left ? "enough" : least <= left ? "enough_with_bulk" : "not_today");
  return { daily, left, rest, bulk: sum((work) => work.calls.bulk), least, verdict: fits || "unknown" };
}

/** Rounds the ends instead of the lengths, so that the lengths add up to the total. */
function timelineOf(works: readonly Work[]): Report["estimate"]["timeline"] {
  let end = 0;
  return works.map(({ object, records, sample, calls, choice, seconds }) => {
    const start = Math.ceil(10 * end);
    end += seconds;
    return {
      object,
      records,
      starts_after_seconds: start / 10,
      seconds: (Math.ceil(10 * end) - start) / 10,
      speed: speedOf(sample),
      api_calls: calls,
      ...choice,
    };
  });
}

function storedPerSecond({ storing }: SampleMeasure): number {
  return storing ? (1000 * storing.records) / storing.milliseconds : ASSUMED_PER_SECOND;
}

function speedOf(sample: SampleMeasure) {
  const { records, milliseconds } = sample;
  const read = records === 0 ? null : Math.round((1000 * records) / Math.max(1, milliseconds));
  return {
    sampled_records: records,
    sampled_milliseconds: milliseconds,
    read_per_second: read,
    stored_per_second: Math.round(storedPerSecond(sample)),
    storing: sample.storing ? ("measured" as const) : ("assumed" as const),
  };
}

/**
 * A page takes one round trip, plus the time per record that the sample took; without a sample that is not known. A
 * lookup takes one round trip. While a page is stored the next one is read, so the slower of the two counts.
 */
function workOf(
  object: SourceObjectName,
  records: number,
  mapping: ObjectMapping,
  latency: number,
): Omit<Work, "object" | "choice"> {
  const { sample } = mapping;
  const sampled = Math.max(1, sample.records);
  const { maxPageRecords = MAX_PAGE_RECORDS } = SOURCE_OBJECTS[object];
  const pageRecords = Math.min(maxPageRecords, pageSizeFor(sampled, sample.characters));
  const [kinds, each] = LOOKUPS[object] ?? [0, 1];
  const ofPages = Math.floor(records / pageRecords) * Math.ceil(pageRecords / each);
  const lookups = kinds * (ofPages + Math.ceil((records % pageRecords) / each));
  const pages = Math.ceil(records / pageRecords) + lookups;
  const perRecord = sample.records === 0 ? 0 : Math.max(0, sample.milliseconds - latency) / sampled;
  const seconds = Math.max((pages * latency + records * perRecord) / 1000, records / storedPerSecond(sample));
  const rest = pages + CALLS_PER_OBJECT;
  const bulk = canReadByBulk(object, mapping) ? bulkCalls(records) + CALLS_PER_OBJECT + lookups : rest;
  return { records, sample, calls: { rest, bulk }, seconds };
}
