import { selectedObjects } from "@/components/migration/configure/draft/choices";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { wholeSum } from "@/lib/amounts";
import { isSourceObject } from "@/lib/migration/objects/source-object-names";
import type { Report } from "@/lib/migration/report/report-schema";

export interface Needs {
  records: number;
  seconds: number;
  /** null: an older report does not say. */
  requests: number | null;
}

/**
 * What a run of the selected objects takes, as the analysis has measured it. Copying files comes after the records: its
 * requests count, since they are taken from the same day's; its time is told apart, as the report does.
 */
export function needsOf(report: Report, configuration: Configuration): Needs {
  const selected = selectedObjects(report, configuration).map(({ object }) => object);
  const entries = report.estimate.timeline.filter(({ object }) => selected.some((name) => name === object));
  const requests = entries.map((entry) => requestsOf(entry, configuration));
  return {
    records: entries.reduce((sum, entry) => sum + entry.records, 0),
    seconds: entries.reduce((sum, entry) => sum + entry.seconds, 0),
    requests: wholeSum([aroundObjects(report), ...requests, forFiles(report, configuration)]),
  };
}

function requestsOf(entry: Report["estimate"]["timeline"][number], { objects }: Configuration): number | null {
  const api = (isSourceObject(entry.object) && objects[entry.object]?.api) || "auto";
  return entry.api_calls?.[api === "auto" ? (entry.api ?? "rest") : api] ?? null;
}

function forFiles({ estimate: { files } }: Report, configuration: Configuration): number {
  return configuration.files.copy ? (files?.api_calls ?? 0) : 0;
}

/** The requests around the objects of a run: users, queues, identity and clock. */
function aroundObjects({ estimate: { api_calls: all, timeline } }: Report): number | null {
  const ofObjects = timeline.reduce((sum, { api_calls: calls, api }) => sum + (calls?.[api ?? "rest"] ?? 0), 0);
  return Math.max(0, all - ofObjects);
}
