import { List, Paper, RingProgress, Text, Title, VisuallyHidden } from "@mantine/core";

import { formatCount, formatEstimate, formatMoment, formatNumber } from "@/components/layout/format";
import classes from "@/components/migration/report/readiness.module.css";
import type { Report } from "@/lib/migration/schemas";

type Verdict = Report["readiness"]["verdict"];

const VERDICTS: Record<Verdict, { title: string; color: string }> = {
  ready: { title: "Ready to migrate", color: "var(--mantine-color-pine-6)" },
  ready_with_warnings: { title: "Ready, with things to look at first", color: "var(--mantine-color-amber-5)" },
  not_ready: { title: "Not ready yet", color: "var(--mantine-color-rust-5)" },
};

/** The verdict with its reasons, and the facts of the org beside it. */
export function Readiness({ report }: { report: Report }) {
  const { score, verdict, reasons } = report.readiness;
  const { title, color } = VERDICTS[verdict];
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
        <Title order={2} className={classes.title}>
          {title}
        </Title>
        <List size="sm" spacing={4} mt="sm">
          {reasons.map((reason) => (
            <List.Item key={reason}>{reason}</List.Item>
          ))}
        </List>
      </div>
      <Facts report={report} />
    </Paper>
  );
}

function Facts({ report }: { report: Report }) {
  const { org, estimate } = report;
  const calls = estimate.api_calls_remaining === null ? "" : ` of ${formatNumber(estimate.api_calls_remaining)} left today`;
  const facts: [label: string, value: string][] = [
    ["To be migrated", formatCount(estimate.records, "record")],
    ["Estimated time", formatEstimate(estimate.seconds)],
    ["Salesforce API requests", `${formatNumber(estimate.api_calls)}${calls}`],
    ["Kind of org", kindOf(org.is_sandbox)],
    ["API version", org.api_version.replace(/^v/, "")],
    ["Analyzed", formatMoment(report.generated_at)],
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

function kindOf(isSandbox: boolean | null): string {
  if (isSandbox === null) return "Unknown";
  return isSandbox ? "Sandbox" : "Production";
}
