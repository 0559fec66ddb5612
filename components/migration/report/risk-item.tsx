import { Anchor, Text } from "@mantine/core";

import { formatCount } from "@/components/ui/text/format";
import classes from "@/components/migration/report/risk-item.module.css";
import { remedyOf } from "@/components/migration/report/risk-remedy";
import { TextLink } from "@/components/ui/text/links";
import type { Risk } from "@/lib/migration/report/report-schema";

interface RiskItemProps {
  risk: Risk;
  orgUrl: string;
  migrationId: string;
}

/** One risk: title, number of records, details, recommended action, and where that can be done. */
export function RiskItem({ risk, orgUrl, migrationId }: RiskItemProps) {
  const remedy = remedyOf(migrationId, orgUrl, risk);
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
      {risk.example && (
        <Text size="sm" mt={4}>
          <b>For example:</b>{" "}
          <Anchor
            href={`${orgUrl}/${risk.example.ext_id}`}
            target="_blank"
            rel="noopener noreferrer"
            inherit
            underline="always"
          >
            <bdi>{risk.example.name ?? risk.example.ext_id}</bdi> in Salesforce
          </Anchor>
        </Text>
      )}
      {risk.recommended_action && (
        <Text size="sm" mt={4}>
          <b>Recommended action:</b> {risk.recommended_action}
        </Text>
      )}
      {remedy && (
        <Text size="sm" mt={4}>
          <TextLink href={remedy.href} inherit>
            {remedy.label}
          </TextLink>
        </Text>
      )}
    </li>
  );
}
