import { fieldLabel } from "@/components/ui/text/format";
import { fieldOf } from "@/components/records/fields/field-of";
import { fieldValue } from "@/components/records/fields/field-value";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { DEFAULT_COLUMNS } from "@/components/records/list/view/columns";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { TextLink } from "@/components/ui/text/links";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The columns of a short list within a page: each record's name, with a link to it, and the usual fields. */
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
  const fields = DEFAULT_COLUMNS[resource].map((field) => ({
    key: field,
    header: fieldLabel(field),
    numeric: fieldOf(resource, field)?.kind === "money",
    cell: (item: AnyRecord) => fieldValue(resource, field, item),
  }));
  return [name, ...fields];
}
