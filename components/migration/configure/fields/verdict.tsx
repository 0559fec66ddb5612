import { Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconBox, IconCheck, IconMinus, IconQuestionMark, IconReplace } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { choicesFor } from "@/components/migration/configure/draft";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { fitOfChoice } from "@/lib/migration/configuration/fit-of-choice";
import { chosenTarget } from "@/lib/migration/configuration/mapping-rules";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport, Fit } from "@/lib/migration/report/report-schema";

const ICON = { size: 14, stroke: 2, "aria-hidden": true } as const;

const VERDICTS: Record<Fit["verdict"] | "unknown", { label: string; color?: string; icon: ReactNode }> = {
  fits: { label: "Fits", icon: <IconCheck {...ICON} /> },
  converted: { label: "Converted", icon: <IconReplace {...ICON} /> },
  custom_field: { label: "Kept whole", icon: <IconBox {...ICON} /> },
  does_not_fit: { label: "Does not fit", color: "var(--mantine-color-error)", icon: <IconAlertTriangle {...ICON} /> },
  left_out: { label: "Not stored", icon: <IconMinus {...ICON} /> },
  unknown: { label: "No sample to check", icon: <IconQuestionMark {...ICON} /> },
};

interface VerdictProps {
  object: MigratedObjectName;
  field: FieldReport;
}

/**
 * Whether the target takes the values of the field: as the analysis has measured it or, for a target that was chosen
 * since, by the samples.
 */
export function Verdict({ object, field }: VerdictProps) {
  const { draft } = useEditing();
  const { fields, values } = choicesFor(draft, object);
  const target = chosenTarget(field, fields);
  const measured = target === field.target && values[field.source] === undefined ? field.fit : undefined;
  const { resource } = SOURCE_OBJECTS[object];
  const verdict = measured?.verdict ?? fitOfChoice(resource, field, target, values[field.source]) ?? "unknown";
  const { label, color, icon } = VERDICTS[verdict];
  const reason = measured?.reason === field.note ? null : measured?.reason;
  return (
    <>
      <Group gap={4} wrap="nowrap" fz="sm" {...(color !== undefined && { c: color })}>
        {icon}
        {label}
      </Group>
      {reason && (
        <Text component="div" size="xs" c="dimmed" mt={2}>
          {reason}
        </Text>
      )}
    </>
  );
}
