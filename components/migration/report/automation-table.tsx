import { Badge, TextInput } from "@mantine/core";
import { useState } from "react";

import { LEVELS, NAMES } from "@/components/migration/report/automation-words";
import { Announcement } from "@/components/ui/feedback/announcement";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { AutomationItem, Report } from "@/lib/migration/report/report-schema";

const COLUMNS: StackColumn<AutomationItem>[] = [
  { key: "name", header: "Name", heading: true, cell: ({ name }) => name },
  { key: "kind", header: "Kind", cell: ({ kind }) => NAMES[kind].one },
  { key: "object", header: "Object", cell: ({ object }) => object },
  { key: "active", header: "State", cell: ({ active }) => (active ? "Active" : "Off") },
  {
    key: "complexity",
    header: "Complexity",
    cell: ({ complexity }) => (
      <Badge color={LEVELS[complexity].color} size="sm">
        {LEVELS[complexity].label}
      </Badge>
    ),
  },
  { key: "action", header: "What to do", wide: true, cell: ({ action }) => action },
];

/** From here on, one looks for a name rather than reads them all. */
const MANY = 12;

/** The automations by name, each with what to do about it. */
export function AutomationTable({ list: { data, more } }: { list: NonNullable<Report["automation_list"]> }) {
  const [wanted, setWanted] = useState("");
  if (data.length === 0) return null;
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = data.filter(({ name, object, kind }) => {
    const text = `${name} ${object ?? ""} ${NAMES[kind].one}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <Disclosure
      title="Automations by name"
      note={
        more > 0
          ? `the first ${formatNumber(data.length)} of ${formatNumber(data.length + more)}`
          : formatCount(data.length, "automation")
      }
    >
      {data.length > MANY && (
        <TextInput
          label="Find an automation"
          placeholder="Name, object or kind"
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          maw="24rem"
          mb="md"
        />
      )}
      <Announcement>{words.length > 0 && formatCount(rows.length, "automation")}</Announcement>
      <StackTable
        caption="Automations by name"
        columns={COLUMNS}
        rows={rows}
        // Two flows can have the same name.
        rowKey={(item) => String(data.indexOf(item))}
        hasMany
      />
      {rows.length === 0 && "No automation has these words."}
    </Disclosure>
  );
}
