import { Badge } from "@mantine/core";
import { IconAdjustments, IconCheck, IconClockHour4, IconEye, IconMinus } from "@tabler/icons-react";

import type { ObjectReport } from "@/lib/migration/schemas";

const ICON = { size: 13, stroke: 2.2, "aria-hidden": true } as const;

const COMPATIBILITY = {
  auto: { label: "Automatic", color: "pine", icon: <IconCheck {...ICON} /> },
  partial: { label: "Partial", color: "amber", icon: <IconAdjustments {...ICON} /> },
  manual_review: { label: "Manual review", color: "rust", icon: <IconEye {...ICON} /> },
} as const;

const OTHER_STATUS = {
  planned: { label: "Planned", color: "sky", icon: <IconClockHour4 {...ICON} /> },
  not_supported: { label: "Stays behind", color: "gray", icon: <IconMinus {...ICON} /> },
} as const;

/** How well an object fits, in a word and a sign. */
export function CompatibilityBadge({ object }: { object: Pick<ObjectReport, "status" | "compatibility"> }) {
  const { label, color, icon } = object.status === "supported" ? COMPATIBILITY[object.compatibility] : OTHER_STATUS[object.status];
  return (
    <Badge variant="light" color={color} leftSection={icon} tt="none" fw={600} miw="max-content">
      {label}
    </Badge>
  );
}
