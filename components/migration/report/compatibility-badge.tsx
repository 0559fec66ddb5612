import { Badge } from "@mantine/core";
import { IconAdjustments, IconCheck, IconEye } from "@tabler/icons-react";

import type { ObjectReport } from "@/lib/migration/report/report-schema";

const ICON = { size: 13, stroke: 2.2, "aria-hidden": true } as const;

const COMPATIBILITY = {
  auto: { label: "Auto", color: "pine", icon: <IconCheck {...ICON} /> },
  partial: { label: "Partial", color: "amber", icon: <IconAdjustments {...ICON} /> },
  manual_review: { label: "Manual review", color: "rust", icon: <IconEye {...ICON} /> },
} as const;

/** The compatibility of an object as a word and an icon. */
export function CompatibilityBadge({ compatibility }: Pick<ObjectReport, "compatibility">) {
  const { label, color, icon } = COMPATIBILITY[compatibility];
  return (
    <Badge color={color} leftSection={icon}>
      {label}
    </Badge>
  );
}
