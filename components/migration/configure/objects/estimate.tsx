import { Paper, Text } from "@mantine/core";

import { choicesFor, selectedObjects } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { formatEstimate, formatNumber } from "@/components/ui/text/format";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { Report } from "@/lib/migration/report/report-schema";

interface Needs {
  records: number;
  seconds: number;
  /** null: an older report does not say. */
  requests: number | null;
}

/** What a run of the selected objects takes, as the analysis has measured it. */
export function Estimate() {
  const { report, draft } = useEditing();
  const { records, seconds, requests } = needsOf(report, draft);
  const left = report.estimate.api_calls_remaining;
  return (
    <Paper withBorder p="lg">
      <Facts isShort>
        <Fact label="Records to read">{formatNumber(records)}</Fact>
        <Fact label="Time">{formatEstimate(seconds)}</Fact>
        <Fact label="API requests">{requests === null ? "not known" : `about ${formatNumber(requests)}`}</Fact>
        <Fact label="Left in the org today">{left === null ? "not known" : formatNumber(left)}</Fact>
      </Facts>
      {requests !== null && left !== null && requests > left && (
        <Text size="sm" mt="sm" c="amber">
          The org has too few API requests left today. A run waits when they are used up, and goes on by itself.
        </Text>
      )}
    </Paper>
  );
}

/** The requests around the objects of a run: users, queues, identity and clock. */
function needsOf(report: Report, draft: Configuration): Needs {
  const needs: Needs = { records: 0, seconds: 0, requests: aroundObjects(report) };
  for (const { object } of selectedObjects(report, draft)) {
    const entry = report.estimate.timeline.find((each) => each.object === object);
    if (!entry) continue;
    const { api = "auto" } = choicesFor(draft, object);
    const calls = entry.api_calls?.[api === "auto" ? (entry.api ?? "rest") : api];
    needs.records += entry.records;
    needs.seconds += entry.seconds;
    needs.requests = needs.requests === null || calls === undefined ? null : needs.requests + calls;
  }
  return needs;
}

/** What the estimate of the whole run has beyond its objects. */
function aroundObjects({ estimate: { api_calls: all, timeline } }: Report): number {
  const ofObjects = timeline.reduce((sum, { api_calls: calls, api }) => sum + (calls?.[api ?? "rest"] ?? 0), 0);
  return Math.max(0, all - ofObjects);
}
