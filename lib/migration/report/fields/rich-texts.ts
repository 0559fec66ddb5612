import type { FieldDescription } from "@/lib/salesforce/describe";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A field with rich text that records fill. */
export interface RichText {
  source: string;
  /** The id of a record with an image in it; null: none of those that were looked at has one. */
  image: string | null;
}

/** The servlet that the address of an image in rich text names. */
const IMAGES = "/servlet/rtaImage";

/** The fields with rich text that sampled records fill. No query counts them: they are long texts. */
export function richTextsIn(
  fields: readonly Pick<FieldDescription, "name" | "extraTypeInfo">[],
  records: readonly SourceRecord[],
): RichText[] {
  return fields.flatMap(({ name, extraTypeInfo }) => {
    const filled = extraTypeInfo === "richtextarea" ? records.filter((record) => record[name]) : [];
    if (filled.length === 0) return [];
    const withImage = filled.find((record) => String(record[name]).includes(IMAGES));
    return [{ source: name, image: withImage ? String(withImage.Id) : null }];
  });
}
