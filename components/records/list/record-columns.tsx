import { fieldLabel } from "@/components/ui/text/format";
import { fieldOf, fieldValue } from "@/components/records/fields/field-value";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { TextLink } from "@/components/ui/text/text-link";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The fields in a list beside each record's name, by kind of record. */
const COLUMNS: Record<ResourceName, readonly string[]> = {
  accounts: ["industry", "phone", "billing_city", "created_at"],
  contacts: ["title", "email", "phone", "created_at"],
  cases: ["case_number", "status", "priority", "created_at"],
  case_comments: ["kind", "author_name", "is_public", "created_at"],
  activities: ["type", "status", "due_date", "created_at"],
  leads: ["company", "status", "email", "created_at"],
  opportunities: ["stage", "amount", "close_date", "created_at"],
  products: ["sku", "family", "unit_price", "is_active"],
};

/** The columns of a list: each record's name, with a link to it, and the fields of `COLUMNS`. */
export function recordColumns(resource: ResourceName): StackColumn<AnyRecord>[] {
  const name: StackColumn<AnyRecord> = {
    key: "title",
    header: RECORD_NAMES[resource].singular,
    heading: true,
    cell: (item) => (
      <TextLink href={`/${resource}/${item.id}`} inherit>
        <bdi>{titleOf(resource, item) || "(no name)"}</bdi>
      </TextLink>
    ),
  };
  const fields = COLUMNS[resource].map((field) => ({
    key: field,
    header: fieldLabel(field),
    numeric: fieldOf(resource, field)?.kind === "money",
    cell: (item: AnyRecord) => fieldValue(resource, field, item),
  }));
  return [name, ...fields];
}
