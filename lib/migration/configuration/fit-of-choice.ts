import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import type { Draft } from "@/lib/migration/objects/declaration";
import { placeInColumn } from "@/lib/migration/pipeline/map/place-field";
import type { FieldReport, Fit } from "@/lib/migration/report/report-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

const NUMBERS = new Set(["int", "double", "currency", "percent"]);

/** A sampled value as Salesforce returned it: the report has all of them as texts. */
function valueOf(type: string, sample: string): unknown {
  if (NUMBERS.has(type)) return Number(sample);
  return type === "boolean" ? sample === "true" : sample;
}

/**
 * Whether a target that somebody has chosen takes the sampled values of a field: by the conversions of the import. Null
 * without a sample, since then only a run can tell.
 */
export function fitOfChoice(
  resource: ResourceName,
  { source, type, samples }: Pick<FieldReport, "source" | "type" | "samples">,
  target: string | null,
  values: Record<string, string> = {},
): Fit["verdict"] | null {
  if (target === null) return "left_out";
  if (target === CUSTOM_FIELDS) return "custom_field";
  // A text gets the name of the record type, and the id is kept beside it.
  if (source === "RecordTypeId" && fieldOf(resource, target).kind === "text") return "converted";
  if (samples.length === 0) return null;
  const place = placeInColumn(resource, source, target, values);
  const verdicts = samples.map((sample): "fits" | "converted" | "does_not_fit" => {
    const draft: Draft = { columns: {}, references: {}, customFields: {} };
    place(valueOf(type, sample), draft);
    const isPlaced = Object.keys(draft.columns).length + Object.keys(draft.references).length > 0;
    if (!isPlaced) return "does_not_fit";
    return Object.hasOwn(draft.customFields, source) ? "converted" : "fits";
  });
  return (
    verdicts.find((verdict) => verdict === "does_not_fit") ?? verdicts.find((one) => one === "converted") ?? "fits"
  );
}
