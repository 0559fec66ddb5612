import { List, Table, Text } from "@mantine/core";

import { useControl } from "@/components/migration/control/use-control";
import { useUndoImpact } from "@/components/migration/undo/use-undo";
import { RECORD_NAMES } from "@/components/records/record-names";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ConfirmByTyping } from "@/components/ui/form/confirm";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { UndoImpact } from "@/lib/migration/undo/undo-schema";

type Line = UndoImpact["resources"][number];

const keptOf = ({ keep }: Line) => keep.reduce((sum, { count }) => sum + count, 0);

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
            <ImpactTable lines={told.resources} />
            <Consequences impact={told} />
          </ConfirmByTyping>
        )
      }
    </Loaded>
  );
}

/** Narrow enough for a phone. */
function ImpactTable({ lines }: { lines: readonly Line[] }) {
  return (
    <Table aria-label="What the undo does" horizontalSpacing={4} tabularNums>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Records</Table.Th>
          <Table.Th ta="right">Deleted</Table.Th>
          <Table.Th ta="right">Restored</Table.Th>
          <Table.Th ta="right">Kept</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.resource}>
            <Table.Th scope="row">{RECORD_NAMES[line.resource].plural}</Table.Th>
            <Table.Td ta="right">{formatNumber(line.delete)}</Table.Td>
            <Table.Td ta="right">{formatNumber(line.restore)}</Table.Td>
            <Table.Td ta="right">{formatNumber(keptOf(line))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
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
