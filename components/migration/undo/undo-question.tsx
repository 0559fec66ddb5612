import { List, Text } from "@mantine/core";

import { useControl } from "@/components/migration/control/use-control";
import { useUndoImpact } from "@/components/migration/undo/use-undo";
import { RECORD_NAMES } from "@/components/records/record-names";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ConfirmByTyping } from "@/components/ui/form/confirm";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { UndoImpact } from "@/lib/migration/undo/undo-schema";

type Line = UndoImpact["resources"][number];

const keptOf = ({ keep }: Line) => keep.reduce((sum, { count }) => sum + count, 0);

const COLUMNS: StackColumn<Line>[] = [
  { key: "resource", header: "Records", heading: true, cell: ({ resource }) => RECORD_NAMES[resource].plural },
  { key: "delete", header: "Deleted", numeric: true, cell: (line) => formatNumber(line.delete) },
  { key: "restore", header: "Restored", numeric: true, cell: ({ restore }) => formatNumber(restore) },
  { key: "keep", header: "Kept", numeric: true, cell: (line) => formatNumber(keptOf(line)) },
];

interface UndoQuestionProps {
  id: string;
  onClose: () => void;
}

/** Says what an undo would do with the records of each kind, and asks for a word before it begins. */
export function UndoQuestion({ id, onClose }: UndoQuestionProps) {
  const impact = useUndoImpact(id);
  const undo = useControl(id, onClose);
  return (
    <Loaded query={impact} loading="Counting what would be undone">
      {(told) =>
        told.resources.length === 0 ? (
          <Text size="sm">There is nothing to undo: no record of this migration is here.</Text>
        ) : (
          <ConfirmByTyping
            mutation={undo}
            action="Undo the migration"
            cancel="Leave everything as it is"
            expected="undo"
            what="the word"
            onConfirm={() => undo.mutate("undo")}
            onCancel={onClose}
          >
            <StackTable
              caption="What the undo does"
              columns={COLUMNS}
              rows={told.resources}
              rowKey={({ resource }) => resource}
            />
            <Consequences impact={told} />
          </ConfirmByTyping>
        )
      }
    </Loaded>
  );
}

function countOf(resource: Line["resource"], count: number): string {
  const { singular, plural } = RECORD_NAMES[resource];
  return formatCount(count, singular.toLowerCase(), plural.toLowerCase());
}

function Consequences({ impact }: { impact: UndoImpact }) {
  const reasons = impact.resources.flatMap(({ resource, keep }) =>
    keep.map(({ code, reason, count }) => ({
      key: `${resource} ${code}`,
      words: `${countOf(resource, count)}: ${reason}`,
    })),
  );
  return (
    <>
      <Text size="sm">
        Deleted records cannot be restored here; running the migration again imports them anew.
        {impact.files > 0 && ` Their ${formatCount(impact.files, "file")} are removed too.`} Your Salesforce org is not
        changed. A schedule of deltas ends.
      </Text>
      {reasons.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            Kept
          </Text>
          <List size="sm">
            {reasons.map(({ key, words }) => (
              <List.Item key={key}>{words}</List.Item>
            ))}
          </List>
        </div>
      )}
    </>
  );
}
