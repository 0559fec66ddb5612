import { Badge } from "@mantine/core";
import { IconBox, IconCheck, IconEqual, IconMinus, IconWaveSine } from "@tabler/icons-react";

import type { FieldReport } from "@/lib/migration/report/report-schema";

const ICON = { size: 12, stroke: 2.2, "aria-hidden": true } as const;

const CONFIDENCE = {
  exact: { label: "Exact", color: "pine", icon: <IconEqual {...ICON} /> },
  likely: { label: "Converted", color: "amber", icon: <IconWaveSine {...ICON} /> },
  custom: { label: "Custom field", color: "sky", icon: <IconBox {...ICON} /> },
  unmapped: { label: "Left out", color: "gray", icon: <IconMinus {...ICON} /> },
} as const;

/** The confidence of a suggested target as a word and an icon. */
export function ConfidenceBadge({ confidence }: { confidence: FieldReport["confidence"] }) {
  const { label, color, icon } = CONFIDENCE[confidence];
  return (
    <Badge color={color} size="sm" leftSection={icon}>
      {label}
    </Badge>
  );
}

/** Marks a target that the user chose. */
export function ChosenBadge() {
  return (
    <Badge color="pine" size="sm" leftSection={<IconCheck {...ICON} />}>
      Your choice
    </Badge>
  );
}
