import { NativeSelect, Text } from "@mantine/core";

import {
  choicesFor,
  type SelectableObject,
  selectedObjects,
  withChoices,
} from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Option } from "@/components/migration/configure/options/option";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatNumber } from "@/components/ui/text/format";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";

/** The choice of Salesforce's API that reads each object, with what either needs. */
export function ReadBy() {
  const { report, draft } = useEditing();
  return (
    <Disclosure title="How Salesforce is read" note="chosen per object by default">
      <Option title="API per object">
        <Text size="sm" c="dimmed" mb="sm" maw="44rem">
          The Bulk API reads many records with few API requests; REST is quicker for few records.
        </Text>
        <StackTable
          caption="How each object is read"
          columns={COLUMNS}
          rows={selectedObjects(report, draft)}
          rowKey={({ object }) => object}
        />
      </Option>
    </Disclosure>
  );
}

const COLUMNS: StackColumn<SelectableObject>[] = [
  { key: "object", header: "Object", heading: true, cell: ({ object }) => objectName(object) },
  { key: "rest", header: "Requests over REST", numeric: true, cell: (row) => <Requests {...row} api="rest" /> },
  { key: "bulk", header: "By the Bulk API", numeric: true, cell: (row) => <Requests {...row} api="bulk" /> },
  { key: "choice", header: "Read by", wide: true, cell: (row) => <ApiSelect {...row} /> },
];

function Requests({ object, api }: SelectableObject & { api: "rest" | "bulk" }) {
  const { report } = useEditing();
  const calls = report.estimate.timeline.find((entry) => entry.object === object)?.api_calls?.[api];
  return calls === undefined ? "not known" : formatNumber(calls);
}

const APIS: Record<NonNullable<ObjectConfiguration["api"]>, string> = {
  auto: "What suits",
  rest: "REST",
  bulk: "Bulk API",
};

function ApiSelect({ object }: SelectableObject) {
  const { draft, isLocked, change } = useEditing();
  const choose = (value: string) => {
    if (value === "auto" || value === "rest" || value === "bulk")
      change((now) => withChoices(now, object, { api: value }));
  };
  return (
    <NativeSelect
      size="xs"
      maw={200}
      aria-label={`${objectName(object)} are read by`}
      disabled={isLocked}
      value={choicesFor(draft, object).api ?? "auto"}
      onChange={(event) => choose(event.currentTarget.value)}
      data={Object.entries(APIS).map(([value, label]) => ({ value, label }))}
    />
  );
}
