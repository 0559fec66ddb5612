import { List, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { Problem } from "@/components/api/problem";
import { useControl } from "@/components/migration/control/use-control";
import { OutdatedMigrations } from "@/components/migration/undo/outdated-migrations";
import { useUndoImpact } from "@/components/migration/undo/use-undo";
import { formatRecords, RECORD_NAMES } from "@/components/records/record-names";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ConfirmByTyping } from "@/components/ui/form/confirm";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { UndoImpact } from "@/lib/migration/undo/undo-schema";

type Line = UndoImpact["resources"][number];

const keptOf = ({ keep }: Line) => keep.reduce((sum, { count }) => sum + count, 0);

const FINAL =
  "Deleted records cannot be restored here, and this migration cannot be run again. Analyze the org again afterwards " +
  "to have them here anew.";

const UNTOUCHED = "Your Salesforce org is not changed. A schedule of deltas ends.";

interface UndoQuestionProps {
  id: string;
  onClose: () => void;
}

/** Says what an undo would do with the records of each kind, and asks for a word before it begins. */
export function UndoDialog({ opened, ...props }: UndoQuestionProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title="Undo the migration?" size="lg">
      <UndoQuestion {...props} />
    </Dialog>
  );
}

export function UndoQuestion({ id, onClose }: UndoQuestionProps) {
  const impact = useUndoImpact(id);
  return (
    <Stack>
      <Loaded query={impact} loading="Counting what would be undone">
        {(told) =>
          told.resources.length === 0 && told.files === 0 ? (
            <Text size="sm">
              There is nothing to undo. Every record that this migration created has been deleted since, or it has
              created and changed none.
            </Text>
          ) : (
            <Question id={id} onClose={onClose}>
              {told.resources.length > 0 && <ImpactTable lines={told.resources} />}
              <Consequences impact={told} />
            </Question>
          )
        }
      </Loaded>
      {impact.data === undefined && isTooSlow(impact.error) && (
        <Question id={id} onClose={onClose}>
          <Text size="sm">
            How many records would be deleted, restored and kept could not be counted in time. The undo itself takes as
            long as it needs. {FINAL} {UNTOUCHED}
          </Text>
        </Question>
      )}
    </Stack>
  );
}

/** Whether the numbers take longer than an answer may. */
function isTooSlow(error: unknown): boolean {
  return error instanceof Problem && (error.code === "service_unavailable" || error.code === "timeout");
}

function Question({ id, onClose, children }: UndoQuestionProps & { children: ReactNode }) {
  const undo = useControl(id, onClose);
  return (
    <ConfirmByTyping
      mutation={undo}
      action="Undo the migration"
      cancel="Leave everything as it is"
      expected="undo"
      what="the word"
      onConfirm={() => undo.mutate("undo")}
      onCancel={onClose}
    >
      {children}
    </ConfirmByTyping>
  );
}

/** Narrow enough for a phone. */
function ImpactTable({ lines }: { lines: readonly Line[] }) {
  return (
    <Table aria-label="What the undo does" horizontalSpacing={4} tabularNums>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Records</Table.Th>
          <Table.Th ta="right">Will be deleted</Table.Th>
          <Table.Th ta="right">Will be restored</Table.Th>
          <Table.Th ta="right">Will be kept</Table.Th>
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

/** The reasons of the API are those of one record. */
const SEVERAL: Partial<Record<Line["keep"][number]["code"], string>> = {
  edited_here: "Somebody has edited them here since they were imported.",
  changed_by_migration: "Another migration has changed them since. Undo that one first.",
  attached: "Other records that stay refer to them.",
  part: "They belong to threads of cases that stay.",
  deleted_here: "The migration changed them, and somebody has deleted them since, so there is nothing to restore.",
  value_taken: "Other records have the unique values that they had before, such as their external ids.",
  parent_missing: "The records that they belonged to no longer exist.",
};

function Consequences({ impact }: { impact: UndoImpact }) {
  const reasons = impact.resources.flatMap(({ resource, keep }) =>
    keep.map(({ code, reason, count }) => ({
      key: `${resource} ${code}`,
      words: `${formatRecords(resource, count)}: ${count === 1 ? reason : (SEVERAL[code] ?? reason)}`,
    })),
  );
  return (
    <>
      <Text size="sm">
        {FINAL}
        {impact.files > 0 && ` ${formatCount(impact.files, "file is", "files are")} removed too.`}
        {impact.files_kept > 0 &&
          ` ${formatCount(impact.files_kept, "file stays", "files stay")} with records that are kept.`}{" "}
        {UNTOUCHED}
        {impact.purged > 0 &&
          ` ${formatCount(impact.purged, "record that has", "records that have")} been deleted here can then no ` +
            "longer be restored."}
      </Text>
      <OutdatedMigrations migrations={impact.outdates} />
      {reasons.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            Will be kept
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
