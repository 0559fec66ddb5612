import { LARGEST_PAGE, pageSizeFor } from "@/lib/migration/page-size";
import { TASKS_PER_QUERY } from "@/lib/migration/pipeline/tasks-of-emails";
import type { ObjectMapping, SampleMeasure } from "@/lib/migration/report/map-object";
import type { Survey } from "@/lib/migration/report/survey";
import type { MigratedObjectName, Report } from "@/lib/migration/schemas";

/** Records that the import stores in a second on a small machine, with room to spare. */
const STORED_PER_SECOND = 6000;
/** Describe, two counts, the small pages that reading begins with, and a last look for what came meanwhile. */
const CALLS_PER_OBJECT = 6;
/** Users, queues, identity and clock. */
const CALLS_PER_RUN = 6;

/** Look-ups per record beside the pages: of the Tasks of e-mails, and of the occurrences of a page's series. */
const LOOK_UPS: Record<string, number> = { EmailMessage: 1 / TASKS_PER_QUERY, Task: 1 / LARGEST_PAGE, Event: 1 / LARGEST_PAGE };

interface Reading {
  records: number;
  pages: number;
  seconds: number;
}

/** How long the import takes and how many API requests it needs, from the speed at which the sample was read. */
export function estimateRun(
  survey: Survey,
  mappings: Partial<Record<MigratedObjectName, ObjectMapping>>,
  callsRemaining: number | null,
): Report["estimate"] {
  const readings = survey.objects.flatMap(({ name, count, readable }) => {
    const mapping = mappings[name as MigratedObjectName];
    if (!mapping || !readable || count === null) return [];
    return [readingOf(count, mapping.sample, survey.latency, Math.ceil(count * (LOOK_UPS[name] ?? 0)))];
  });
  const records = readings.reduce((sum, reading) => sum + reading.records, 0);
  const pages = readings.reduce((sum, reading) => sum + reading.pages, 0);
  const reading = readings.reduce((sum, { seconds }) => sum + seconds, 0);
  return {
    records,
    seconds: Math.ceil(reading + records / STORED_PER_SECOND),
    api_calls: pages + readings.length * CALLS_PER_OBJECT + CALLS_PER_RUN,
    api_calls_remaining: callsRemaining,
  };
}

/** A page costs the way there and back, and then as much per record as the sample did; a look-up, the way alone. */
function readingOf(records: number, sample: SampleMeasure, latency: number, lookUps: number): Reading {
  const sampled = Math.max(1, sample.records);
  const pages = Math.ceil(records / pageSizeFor(sampled, sample.characters)) + lookUps;
  const perRecord = Math.max(0, sample.milliseconds - latency) / sampled;
  return { records, pages, seconds: (pages * latency + records * perRecord) / 1000 };
}
