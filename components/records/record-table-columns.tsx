import type { StackColumn } from "@/components/layout/stack-table";
import { fieldLabel } from "@/components/records/field-label";
import { fieldOf, fieldValue } from "@/components/records/field-value";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { RECORD_COLUMNS } from "@/components/records/record-columns";
import { RECORD_NAMES } from "@/components/records/record-names";
import { TextLink } from "@/components/shell/text-link";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The columns of a kind of record: its name, which leads to it, and the fields declared for it. */
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
  const fields = RECORD_COLUMNS[resource].map((field) => ({
    key: field,
    header: fieldLabel(field),
    numeric: fieldOf(resource, field)?.kind === "money",
    cell: (item: AnyRecord) => fieldValue(resource, field, item),
  }));
  return [name, ...fields];
}
