import { Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleX } from "@tabler/icons-react";
import type { ComponentType } from "react";

import { Disclosure } from "@/components/ui/layout/disclosure";
import { RiskItem } from "@/components/migration/report/risk-item";
import classes from "@/components/migration/report/risk-list.module.css";
import type { Report, Risk } from "@/lib/migration/report/report-schema";

interface Group {
  severity: "blocking" | "warning";
  title: string;
  icon: ComponentType<{ size: number; stroke: number }>;
}

const URGENT: Group[] = [
  { severity: "blocking", title: "Has to be solved first", icon: IconCircleX },
  { severity: "warning", title: "Worth a look", icon: IconAlertTriangle },
];

/** All risks, the most severe first. Risks of the severity "info" are collapsed. */
export function RiskList({ id, report: { risks, org } }: { id: string; report: Report }) {
  const infos = risks.filter((risk) => risk.severity === "info");
  return (
    <section>
      <Title order={2} mb="md">
        Risks
      </Title>
      {risks.length === infos.length && (
        <Text c="dimmed" mb="md">
          Nothing has to be solved before the migration.
        </Text>
      )}
      <Stack gap="md">
        {URGENT.map((group) => (
          <RiskGroup
            key={group.severity}
            group={group}
            risks={risks.filter((risk) => risk.severity === group.severity)}
            orgUrl={org.ext_instance_url}
            migrationId={id}
          />
        ))}
        {infos.length > 0 && (
          <Disclosure title="Good to know" note={infos.length}>
            <RiskItems risks={infos} orgUrl={org.ext_instance_url} migrationId={id} />
          </Disclosure>
        )}
      </Stack>
    </section>
  );
}

interface Shown {
  risks: readonly Risk[];
  /** The address of the org, for links to records. */
  orgUrl: string;
  /** The migration, for links to the parts of its configuration. */
  migrationId: string;
}

function RiskGroup({ group: { severity, title, icon: Icon }, risks, ...links }: Shown & { group: Group }) {
  if (risks.length === 0) return null;
  return (
    <Paper withBorder className={classes.group} data-severity={severity}>
      <Title order={3} className={classes.title}>
        <span className={classes.icon} aria-hidden="true">
          <Icon size={20} stroke={1.7} />
        </span>
        {title}
        <Text component="span" c="dimmed" size="sm" fw={400}>
          {risks.length}
        </Text>
      </Title>
      <RiskItems risks={risks} {...links} />
    </Paper>
  );
}

function RiskItems({ risks, ...links }: Shown) {
  return (
    <ul className={classes.list}>
      {risks.map((risk) => (
        <RiskItem key={`${risk.code} ${risk.object} ${risk.title}`} risk={risk} {...links} />
      ))}
    </ul>
  );
}
