import { Text } from "@mantine/core";

import { formatCount } from "@/components/ui/text/format";
import classes from "@/components/migration/report/risk-item.module.css";
import type { Risk } from "@/lib/migration/report/report-schema";

/** One risk: title, number of records, details and recommended action. */
export function RiskItem({ risk }: { risk: Risk }) {
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
      {risk.recommended_action && (
        <Text size="sm" mt={4}>
          <b>Recommended action:</b> {risk.recommended_action}
        </Text>
      )}
    </li>
  );
}
