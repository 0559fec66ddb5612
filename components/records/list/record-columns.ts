import type { ResourceName } from "@/lib/records/schema/resources";

/** The fields that a list shows beside each record's name, by kind of record. */
export const RECORD_COLUMNS: Record<ResourceName, readonly string[]> = {
  accounts: ["industry", "phone", "billing_city", "created_at"],
  contacts: ["title", "email", "phone", "created_at"],
  cases: ["case_number", "status", "priority", "created_at"],
  case_comments: ["kind", "author_name", "is_public", "created_at"],
  activities: ["type", "status", "due_date", "created_at"],
  leads: ["company", "status", "email", "created_at"],
  opportunities: ["stage", "amount", "close_date", "created_at"],
  products: ["sku", "family", "unit_price", "is_active"],
};
