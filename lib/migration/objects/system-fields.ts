import type { SourceField } from "@/lib/migration/objects/declaration";

/** Every object's fields that become `id`, `ext_id`, `created_at`, `updated_at` and `owner_id`, and cannot be mapped otherwise. */
export const RECORD_FIELDS = {
  Id: { target: "ext_id", confidence: "exact" },
  CreatedDate: { target: "created_at", confidence: "exact" },
  LastModifiedDate: { target: "updated_at", confidence: "exact" },
  OwnerId: {
    target: "owner_id",
    confidence: "likely",
    note: "Matched to a member of the organization by e-mail. The id is kept as a custom field, and the name of an owner who is no member as well.",
  },
} as const;

/**
 * What says nothing of the record itself: bookkeeping of the source's search, sync and screens, and the address of a picture on the
 * source's own pages. These fields are not kept.
 */
const BOOKKEEPING = new Set(["attributes", "IsDeleted", "SystemModstamp", "LastViewedDate", "LastReferencedDate", "PhotoUrl"]);

/** Compounds repeat the fields that they are made of, and files are not a field's business. */
const UNREADABLE_TYPES = new Set(["address", "location", "base64"]);

/** Whether a field of the source is read at all. */
export function isRead(field: SourceField, leftOut: readonly string[]): boolean {
  return !BOOKKEEPING.has(field.name) && !UNREADABLE_TYPES.has(field.type) && !leftOut.includes(field.name);
}
