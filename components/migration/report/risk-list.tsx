import { Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import type { ComponentType } from "react";

import { formatCount } from "@/components/layout/format";
import classes from "@/components/migration/report/risk-list.module.css";
import type { Risk } from "@/lib/migration/schemas";

const GROUPS: { severity: Risk["severity"]; title: string; icon: ComponentType<{ size: number; stroke: number }> }[] = [
  { severity: "blocking", title: "Has to be solved first", icon: IconCircleX },
  { severity: "warning", title: "Worth a look", icon: IconAlertTriangle },
  { severity: "info", title: "Good to know", icon: IconInfoCircle },
];

/** What could go wrong, the worst first, each with the records that it touches and what to do. */
export function RiskList({ risks }: { risks: readonly Risk[] }) {
  return (
    <section>
      <Title order={2} mb="md">
        Risks
      </Title>
      {risks.length === 0 && <Text c="dimmed">None was found.</Text>}
      <Stack gap="lg">
        {GROUPS.map(({ severity, title, icon: Icon }) => {
          const members = risks.filter((risk) => risk.severity === severity);
          if (members.length === 0) return null;
          return (
            <Paper key={severity} withBorder className={classes.group} data-severity={severity}>
              <Title order={3} className={classes.title}>
                <span className={classes.icon} aria-hidden="true">
                  <Icon size={20} stroke={1.7} />
                </span>
                {title}
                <Text component="span" c="dimmed" size="sm" fw={400}>
                  {members.length}
                </Text>
              </Title>
              <ul className={classes.list}>
                {members.map((risk) => (
                  <RiskItem key={`${risk.code} ${risk.object}`} risk={risk} />
                ))}
              </ul>
            </Paper>
          );
        })}
      </Stack>
    </section>
  );
}

function RiskItem({ risk }: { risk: Risk }) {
  return (
    <li className={classes.risk}>
      <div className={classes.heading}>
        <Text fw={600} size="sm">
          {risk.title}
        </Text>
        {risk.count !== null && (
          <Text size="sm" c="dimmed" className={classes.count}>
            {formatCount(risk.count, "record")}
          </Text>
        )}
      </div>
      <Text size="sm">{risk.detail}</Text>
      {risk.remedy && (
        <Text size="sm" mt={4}>
          <b>What to do:</b> {risk.remedy}
        </Text>
      )}
    </li>
  );
}
