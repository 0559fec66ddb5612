import { Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconBox, IconCheck, IconMinus, IconQuestionMark, IconReplace } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { choicesFor } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { fitOfChoice } from "@/lib/migration/configuration/fit-of-choice";
import { chosenTarget, targetValues } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
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
  object: SourceObjectName;
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
  object: SourceObjectName,
  field: FieldReport,
  { fields, values }: ObjectConfiguration,
): { verdict: keyof typeof VERDICTS; reason: string | null } {
  const target = chosenTarget(field, fields);
  const chosen = values[field.source];
  if (field.fit && target === field.target && chosen === undefined) {
    const { verdict, reason } = field.fit;
    return { verdict, reason: reason === field.note ? null : reason };
  }
  const verdict = fitOfChoice(SOURCE_OBJECTS[object].resource, field, target, chosen) ?? "unknown";
  return { verdict, reason: verdict === "does_not_fit" ? whyNot(object, target) : null };
}

/** Why a target that was chosen does not take the sampled values. */
function whyNot(object: SourceObjectName, target: string | null): string {
  return targetValues(object, target)
    ? "Some values have no equivalent here. Choose one under Values; else the original is kept as a custom field."
    : "This field cannot store some of the values. Those are kept as a custom field instead.";
}
