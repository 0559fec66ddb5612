import { z } from "zod";

import { pageOf } from "@/components/api/page-schema";
import type { ResourceName } from "@/lib/records/resources";

/** A record of any kind as the API answers it: its fields by name. The registry says what each field holds. */
export const record = z.looseObject({ id: z.string(), created_at: z.string(), custom_fields: z.record(z.string(), z.json()) });
export type AnyRecord = z.infer<typeof record>;

export const recordPage = pageOf(record);

/** A field's value as text, or an empty string. */
export function textOf(item: AnyRecord, field: string): string {
  const value = item[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const LEGIBLE = 90;

/** What a record is called in lists, links and headings. */
export function titleOf(resource: ResourceName, item: AnyRecord): string {
  switch (resource) {
    case "accounts":
    case "opportunities":
    case "products":
      return textOf(item, "name");
    case "contacts":
    case "leads":
      return [textOf(item, "first_name"), textOf(item, "last_name")].filter(Boolean).join(" ");
    case "cases":
    case "activities":
      return textOf(item, "subject");
    case "case_comments":
      return shorten(textOf(item, "body"));
  }
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (!line) return "(no text)";
  return line.length > LEGIBLE ? `${line.slice(0, LEGIBLE).trimEnd()}…` : line;
}
