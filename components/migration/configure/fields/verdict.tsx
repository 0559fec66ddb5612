import { Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconBox, IconCheck, IconMinus, IconQuestionMark, IconReplace } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { choicesFor } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
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
  const { verdict, reason } = judge(object, field, choicesFor(draft, object));
  const { label, color, icon } = VERDICTS[verdict];
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

/** A reason that is the note of the suggestion stands beside its confidence already. */
function judge(
  object: MigratedObjectName,
  field: FieldReport,
  { fields, values }: ObjectConfiguration,
): { verdict: keyof typeof VERDICTS; reason: string | null } {
  const target = chosenTarget(field, fields);
  const chosen = values[field.source];
  if (field.fit && target === field.target && chosen === undefined) {
    const { verdict, reason } = field.fit;
    return { verdict, reason: reason === field.note ? null : reason };
  }
  return { verdict: fitOfChoice(SOURCE_OBJECTS[object].resource, field, target, chosen) ?? "unknown", reason: null };
}
