import { Badge, Text } from "@mantine/core";
import { IconAdjustments, IconCheck, IconEye, IconBox, IconEqual, IconMinus, IconWaveSine } from "@tabler/icons-react";

import type { ObjectReport, FieldReport } from "@/lib/migration/report/report-schema";
import classes from "@/components/migration/report/findings.module.css";
import { fieldLabel } from "@/components/ui/text/format";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";

const ICON = { size: 12, stroke: 2.2, "aria-hidden": true } as const;

const COMPATIBILITY = {
  auto: { label: "Automatic", color: "pine", icon: <IconCheck {...ICON} size={13} /> },
  partial: { label: "Partial", color: "amber", icon: <IconAdjustments {...ICON} size={13} /> },
  manual_review: { label: "Manual review", color: "rust", icon: <IconEye {...ICON} size={13} /> },
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

/** The first columns of every table of fields: the field of the source, and values of real records. */
export const SOURCE_COLUMNS: StackColumn<FieldReport>[] = [
  { key: "source", header: "Salesforce field", heading: true, cell: (field) => <SourceField field={field} /> },
  {
    key: "samples",
    header: "Samples",
    cell: (field) => (field.samples.length > 0 ? <Samples values={field.samples} /> : null),
  },
];

/** A field of the source: its label, API name and type. */
function SourceField({ field }: { field: FieldReport }) {
  return (
    <>
      {field.label}
      <Text component="div" size="xs" c="dimmed" fw={400}>
        <Text component="span" inherit ff="monospace">
          {field.source}
        </Text>{" "}
        {field.type}
      </Text>
    </>
  );
}

/** Values of real records, one per line, truncated if they are long. */
function Samples({ values }: { values: readonly string[] }) {
  return (
    <ul className={classes.samples}>
      {[...new Set(values)].map((value) => (
        <li key={value}>
          <bdi>{value}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** The target of a source field in words. */
export function targetLabel(target: string | null): string {
  if (target === null) return "Left out";
  return target === CUSTOM_FIELDS ? "Custom field" : fieldLabel(target);
}

const CONFIDENCE = {
  exact: { label: "Exact", color: "pine", icon: <IconEqual {...ICON} /> },
  likely: { label: "Likely", color: "amber", icon: <IconWaveSine {...ICON} /> },
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

/** How well a target fits, and a note on it. */
export function Fit({ confidence, note }: Pick<FieldReport, "confidence" | "note">) {
  return (
    <>
      <ConfidenceBadge confidence={confidence} />
      {note && (
        <Text component="div" size="xs" c="dimmed" mt={4}>
          {note}
        </Text>
      )}
    </>
  );
}

/**
 * The share of records that have a value: "45 %". 0 and 100 mean none and all, however many records there are. A share
 * that was measured in a sample is about so. Null: it was not measured.
 */
export function fillInWords(fill: FieldReport["fill"]): string | null {
  if (!fill || fill.rate === null) return null;
  const { filled, of, rate, measured } = fill;
  const percent = Math.round(100 * rate);
  if (measured === "sampled") return `about ${filled < of ? Math.min(percent, 99) : percent} %`;
  if (percent === 0 && filled > 0) return "under 1 %";
  return percent === 100 && filled < of ? "over 99 %" : `${percent} %`;
}
