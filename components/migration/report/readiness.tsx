import { List, Paper, RingProgress, Text, Title, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";

import { formatEstimate, formatNumber } from "@/components/ui/text/format";
import classes from "@/components/migration/report/readiness.module.css";
import { Moment } from "@/components/ui/text/moment";
import { isSelectable } from "@/lib/migration/objects/source-object-names";
import type { Report } from "@/lib/migration/report/report-schema";
import { recordsBeginning, recordsInWords } from "@/lib/migration/report/wording";

type Verdict = Report["readiness"]["verdict"];

const VERDICTS: Record<Verdict, { title: string; later: string; color: string }> = {
  ready: { title: "Ready to migrate", later: "It was ready.", color: "var(--mantine-color-pine-6)" },
  ready_with_warnings: {
    title: "Ready, with things to look at first",
    later: "It was ready, with things to look at.",
    color: "var(--mantine-color-amber-5)",
  },
  not_ready: { title: "Not ready yet", later: "It was not ready yet.", color: "var(--mantine-color-rust-5)" },
};

/** The verdict with its reasons, and facts about the org. After a run, in the past tense. */
export function Readiness({ report, hasRun }: { report: Report; hasRun: boolean }) {
  const { score, verdict, reasons } = report.readiness;
  const { title, later, color } = VERDICTS[verdict];
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }} className={classes.card}>
      <RingProgress
        size={148}
        thickness={11}
        roundCaps
        sections={[{ value: score, color }]}
        className={classes.ring}
        label={
          <div className={classes.score}>
            <VisuallyHidden>Readiness: </VisuallyHidden>
            <span>{score}</span>
            <small>of 100</small>
          </div>
        }
      />
      <div className={classes.verdict}>
        <Title order={2}>{hasRun ? "The org before the migration" : title}</Title>
        {hasRun && (
          <Text size="sm" c="dimmed" mt={4}>
            This is what the analysis found. {later}
          </Text>
        )}
        <List size="sm" spacing={4} mt="sm">
          {reasons.map((reason) => (
            <List.Item key={reason}>{reason}</List.Item>
          ))}
        </List>
      </div>
      <Facts report={report} hasRun={hasRun} />
    </Paper>
  );
}

function Facts({ report, hasRun }: { report: Report; hasRun: boolean }) {
  const { org, estimate } = report;
  const areAllCounted = report.inventory.every(({ status, count }) => !isSelectable(status) || count !== null);
  const left = estimate.api_calls_remaining;
  const calls = left === null ? "" : ` of ${formatNumber(left)} left when the org was analyzed`;
  const facts: [label: string, value: ReactNode][] = [
    hasRun
      ? ["Found", recordsBeginning(estimate.records, areAllCounted)]
      : ["To be imported", toImport(estimate, areAllCounted)],
    ["Estimated time", formatEstimate(estimate.seconds)],
    ["Salesforce API requests", `${formatNumber(estimate.api_calls)}${calls}`],
    ["Kind of org", kindOf(org.is_sandbox)],
    ["Salesforce user", report.analyzed_as.username ?? "Unknown"],
    ["API version", versionOf(report)],
    ["Analyzed", <Moment key="moment" iso={report.generated_at} />],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text component="dt">{label}</Text>
          <Text component="dd">{value}</Text>
        </div>
      ))}
    </dl>
  );
}

function toImport({ imported, records }: Report["estimate"], areAllCounted: boolean): string {
  if (imported === records) return recordsBeginning(records, areAllCounted);
  return `${areAllCounted ? "" : "About "}${formatNumber(imported)} of ${recordsInWords(records, areAllCounted)}`;
}

function kindOf(isSandbox: boolean | null): string {
  if (isSandbox === null) return "Unknown";
  return isSandbox ? "Sandbox" : "Production";
}

/** The version of the API, with what to know about it, if anything. */
function versionOf({ org, api_versions: versions }: Report): string {
  const used = org.api_version.replace(/^v/, "");
  if (!versions || versions.verdict === "current" || versions.verdict === "unknown") return used;
  return `${used}. ${versions.note}`;
}
