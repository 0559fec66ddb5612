import { fieldOf, isMappable, targetValues, type TargetSuggestion } from "@/lib/migration/configuration/mapping-rules";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { asText, type Draft } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { labelsOf } from "@/lib/migration/pipeline/map/labels";
import { type Place, placeInColumn } from "@/lib/migration/pipeline/map/place-field";
import type { Fit } from "@/lib/migration/report/report-schema";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { FieldDescription } from "@/lib/salesforce/describe";
import type { SourceRecord } from "@/lib/salesforce/query";

type Outcome = "unchanged" | "converted" | "custom_field";

type Found = Pick<Fit, "type" | "length" | "sample" | "picklist">;

const NOTHING: Found = { type: null, length: null, sample: null };

/**
 * Whether the target takes the values of a field: by the conversions of the import itself, applied to a typical value
 * of the type and to every sampled value.
 */
export function fitOf(
  object: SourceObjectName,
  field: FieldDescription,
  { target, confidence, note }: TargetSuggestion,
  records: readonly SourceRecord[],
  picklist?: Fit["picklist"],
): Fit {
  if (target === null) return { ...NOTHING, verdict: "left_out", reason: note ?? "Its content is in other fields." };
  if (target === CUSTOM_FIELDS) return { ...NOTHING, verdict: "custom_field", reason: note };
  if (!isMappable(object, { source: field.name, type: field.type }))
    return { ...NOTHING, verdict: confidence === "exact" ? "fits" : "converted", reason: note };
  const { resource } = SOURCE_OBJECTS[object];
  const place = placeInColumn(resource, field.name, target, {}, labelsOf(field));
  const values = records.map((record) => record[field.name]).filter((value) => value !== null && value !== undefined);
  const outcomes = values.map((value) => outcomeOf(place, field.name, value));
  const found: Found = {
    type: typeFit(place, field, targetValues(object, target) !== null),
    length: lengthFit(resource, field, target, values),
    sample: { values: values.length, ...tally(outcomes) },
    ...(picklist && { picklist }),
  };
  const verdict = verdictOf(found);
  return { ...found, verdict, reason: REASONS[verdict]?.(found) ?? note };
}

function tally(outcomes: readonly Outcome[]) {
  const times = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  return { unchanged: times("unchanged"), converted: times("converted"), custom_field: times("custom_field") };
}

function outcomeOf(place: Place, source: string, value: unknown): Outcome {
  const draft: Draft = { columns: {}, references: {}, customFields: {} };
  place(value, draft);
  const isKept = Object.hasOwn(draft.customFields, source);
  const isPlaced = Object.keys(draft.columns).length > 0 || Object.keys(draft.references).length > 0;
  if (!isPlaced) return "custom_field";
  return isKept ? "converted" : "unchanged";
}

const TYPE_FITS: Record<Outcome, NonNullable<Fit["type"]>> = {
  unchanged: "fits",
  converted: "converted",
  custom_field: "does_not_fit",
};

/** Fixed values are translated, whatever text they are. */
function typeFit(place: Place, field: FieldDescription, hasFixedValues: boolean): NonNullable<Fit["type"]> {
  const typical = typicalValue(field);
  if (hasFixedValues) return typeof typical === "string" ? "converted" : "does_not_fit";
  return TYPE_FITS[outcomeOf(place, field.name, typical)];
}

/** More decimals than a number of JSON can hold say nothing. */
const MAX_SCALE = 8;

const TYPICAL: Record<string, unknown> = {
  id: "001000000000001AAA",
  reference: "001000000000001AAA",
  boolean: true,
  int: 1,
  date: "2024-02-29",
  datetime: "2024-02-29T12:30:00.000+0000",
  address: {},
  location: {},
};

const WITH_DECIMALS = new Set(["double", "currency", "percent"]);

/** A value of the type, as Salesforce returns it. All other types are texts. */
function typicalValue({ type, scale }: FieldDescription): unknown {
  if (WITH_DECIMALS.has(type)) return scale > 0 ? 1 + 10 ** -Math.min(scale, MAX_SCALE) : 1;
  return Object.hasOwn(TYPICAL, type) ? TYPICAL[type] : "a text";
}

function lengthFit(
  resource: ResourceName,
  field: FieldDescription,
  target: string,
  values: readonly unknown[],
): Fit["length"] {
  const { kind, maxLength: limit = null } = fieldOf(resource, target);
  if (kind !== "text") return null;
  const longest = values.reduce<number>((most, value) => Math.max(most, asText(value).length), 0);
  const isLonger = limit !== null && Math.max(field.length, longest) > limit;
  return { source: Math.round(field.length), target: limit, longest, verdict: isLonger ? "longer" : "fits" };
}

const NONE_SAMPLED = { values: 0, unchanged: 0, converted: 0, custom_field: 0 };

function verdictOf({ type, picklist, sample }: Found): "fits" | "converted" | "does_not_fit" {
  if (picklist) return picklistVerdict(picklist);
  const { values, custom_field: refused, converted } = sample ?? NONE_SAMPLED;
  if (refused > 0) return "does_not_fit";
  if (converted > 0) return "converted";
  // Not every text is a number, but all that were sampled are.
  return type === "does_not_fit" && values > 0 ? "converted" : (type ?? "fits");
}

function picklistVerdict({ translated, unknown_values }: NonNullable<Fit["picklist"]>) {
  if (unknown_values > 0) return "does_not_fit";
  return translated === 0 ? "fits" : "converted";
}

const REASONS: Partial<Record<Fit["verdict"], (found: Found) => string | null>> = {
  does_not_fit: ({ picklist, sample }) => {
    if (picklist) return "Some values have no equivalent here: such records keep the original as a custom field.";
    return sample && sample.custom_field > 0
      ? `${sample.custom_field} of ${sample.values} sampled values are kept as a custom field instead.`
      : "The target does not take values of this type: they are kept as a custom field instead.";
  },
  fits: ({ length }) =>
    length?.verdict === "longer"
      ? `Longer texts than the ${length.target} characters that clients can write are kept whole.`
      : null,
};
