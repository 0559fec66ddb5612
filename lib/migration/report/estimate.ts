import { MIGRATED_OBJECTS, type MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { pageSizeFor } from "@/lib/migration/pipeline/read/read-by-keyset";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/related-records";
import { isImportable } from "@/lib/migration/report/facts";
import type { ObjectMapping, SampleMeasure } from "@/lib/migration/report/map-object";
import type { Report } from "@/lib/migration/report/report-schema";
import type { Survey } from "@/lib/migration/report/survey";
import { type LeftOutByObject, sumLeftOut } from "@/lib/migration/report/wording";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";

/** Records that the import stores in a second on a small machine, with room to spare. */
const STORED_PER_SECOND = 6000;

/** Describe, two counts, the small pages that reading begins with, and a last look for what came meanwhile. */
const CALLS_PER_OBJECT = 6;

/** Users, queues, identity and clock. */
const CALLS_PER_RUN = 6;

/** Look-ups per record beside the pages: of the Tasks of e-mails, and of the occurrences of a page's series. */
const LOOKUPS_PER_RECORD: Partial<Record<MigratedObjectName, number>> = {
  EmailMessage: 1 / IDS_PER_QUERY,
  Task: 1 / MAX_PAGE_RECORDS,
  Event: 1 / MAX_PAGE_RECORDS,
};

/** What reading and storing one object takes. */
interface Work {
  object: MigratedObjectName;
  records: number;
  pages: number;
  seconds: number;
}

interface Found {
  survey: Survey;
  mappings: Partial<Record<MigratedObjectName, ObjectMapping>>;
  leftOut: LeftOutByObject;
  /** How many API requests are left; null when the org does not say. */
  callsRemaining: number | null;
}

/**
 * What a run with the defaults takes and imports, how long that lasts and how many API requests it needs, from the
 * speed of reading the sample.
 */
export function estimateRun(found: Found): Report["estimate"] {
  const { survey, mappings } = found;
  const works = MIGRATED_OBJECTS.flatMap((object): Work[] => {
    const mapping = mappings[object];
    const count = survey.objects.find(({ name }) => name === object)?.count ?? null;
    if (!mapping || count === null || !isImportable(found, object)) return [];
    return [
      {
        object,
        ...workOf(count, mapping.sample, survey.latency, Math.ceil(count * (LOOKUPS_PER_RECORD[object] ?? 0))),
      },
    ];
  });
  const records = works.reduce((sum, work) => sum + work.records, 0);
  const pages = works.reduce((sum, work) => sum + work.pages, 0);
  const leftOut = Object.values(found.leftOut).flat();
  const [skipped, failed] = [sumLeftOut(leftOut, "skipped"), sumLeftOut(leftOut, "failed")];
  return {
    records,
    imported: records - skipped - failed,
    skipped,
    failed,
    seconds: Math.ceil(works.reduce((sum, { seconds }) => sum + seconds, 0)),
    api_calls: pages + works.length * CALLS_PER_OBJECT + CALLS_PER_RUN,
    api_calls_remaining: found.callsRemaining,
    timeline: timelineOf(works),
  };
}

/** Ends are rounded, not lengths, so that the lengths add up to the whole. */
function timelineOf(works: readonly Work[]): Report["estimate"]["timeline"] {
  let end = 0;
  return works.map(({ object, records, seconds }) => {
    const start = Math.ceil(10 * end);
    end += seconds;
    return { object, records, starts_after_seconds: start / 10, seconds: (Math.ceil(10 * end) - start) / 10 };
  });
}

/** A page costs the way there and back, and then as much per record as the sample did; a look-up, the way alone. */
function workOf(records: number, sample: SampleMeasure, latency: number, lookups: number): Omit<Work, "object"> {
  const sampled = Math.max(1, sample.records);
  const pages = Math.ceil(records / pageSizeFor(sampled, sample.characters)) + lookups;
  const perRecord = Math.max(0, sample.milliseconds - latency) / sampled;
  return { records, pages, seconds: (pages * latency + records * perRecord) / 1000 + records / STORED_PER_SECOND };
}
