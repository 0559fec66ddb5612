import { comparisonsOf } from "@/components/migration/proof/differences";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatNumber } from "@/components/ui/text/format";
import { objectName } from "@/lib/migration/objects/source-object-names";
import type { Comparison, ObjectProof } from "@/lib/migration/proof/proof-schema";

interface ComparedField extends Comparison {
  /** Unique among the fields of an object. */
  name: string;
}

interface FoundDifference {
  name: string;
  key: string;
  source: number;
  here: number;
}

const FIELDS: StackColumn<ComparedField>[] = [
  { key: "field", header: "Field", heading: true, cell: ({ name }) => name },
  { key: "compared", header: "Compared", numeric: true, cell: ({ compared }) => formatNumber(compared) },
  { key: "different", header: "Different", numeric: true, cell: ({ different }) => formatNumber(different) },
  { key: "because", header: "Not compared because", wide: true, cell: (field) => field.not_compared_because },
];

const DIFFERENCES: StackColumn<FoundDifference>[] = [
  { key: "field", header: "Field", heading: true, cell: ({ name }) => name },
  { key: "key", header: "Id or value", cell: ({ key }) => <bdi>{key}</bdi> },
  { key: "source", header: "In Salesforce", numeric: true, cell: ({ source }) => formatNumber(source) },
  { key: "here", header: "Here", numeric: true, cell: ({ here }) => formatNumber(here) },
];

/** A field that names records of several objects is compared once for each of them. */
function comparedFields(item: ObjectProof): ComparedField[] {
  const all = comparisonsOf(item);
  return all.map((comparison) => {
    const { field, parent } = comparison;
    const isOneOfSeveral = all.some((other) => other !== comparison && other.field === field);
    return { ...comparison, name: parent && isOneOfSeveral ? `${field}, to ${objectName(parent)}` : field };
  });
}

/** The fields of an object that were compared, and what differs in them. */
export function ComparedFields({ item }: { item: ObjectProof }) {
  const fields = comparedFields(item);
  const found = fields.flatMap(({ name, differences }) =>
    differences.map(({ key, source, here }) => ({ name, key: key ?? "All", source, here })),
  );
  if (fields.length === 0) return null;
  const isAnyLeftOut = fields.some((field) => field.not_compared_because !== null);
  return (
    <>
      <StackTable
        caption={`Compared fields of ${objectName(item.object)}`}
        columns={isAnyLeftOut ? FIELDS : FIELDS.slice(0, -1)}
        rows={fields}
        rowKey={(field) => String(fields.indexOf(field))}
      />
      {found.length > 0 && (
        <StackTable
          caption={`What differs in the fields of ${objectName(item.object)}`}
          columns={DIFFERENCES}
          rows={found}
          rowKey={(difference) => String(found.indexOf(difference))}
        />
      )}
    </>
  );
}
