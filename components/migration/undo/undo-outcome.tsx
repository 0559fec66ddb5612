import { Stack, Text, Title } from "@mantine/core";

import { useKept } from "@/components/migration/undo/use-undo";
import { shorten } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { Loaded } from "@/components/ui/feedback/loaded";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Section } from "@/components/ui/layout/section";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { formatNumber } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";
import type { KeptRecord } from "@/lib/migration/undo/undo-schema";

/** What an undo that is over has done, and the records that it kept. */
export function UndoOutcome({ migration }: { migration: Migration }) {
  const { undo } = migration;
  if (!undo) return null;
  const sum = (key: "deleted" | "restored" | "kept") => undo.resources.reduce((all, line) => all + line[key], 0);
  return (
    <Stack gap="xl">
      <Section title="What the undo did">
        <Facts isShort>
          <Fact label="Deleted">{formatNumber(sum("deleted"))}</Fact>
          <Fact label="Restored">{formatNumber(sum("restored"))}</Fact>
          <Fact label="Kept">{formatNumber(sum("kept"))}</Fact>
          <Fact label="Ended">
            {undo.finished_at === null ? "stopped before its end" : <Moment iso={undo.finished_at} />}
          </Fact>
        </Facts>
      </Section>
      {sum("kept") > 0 && <KeptRecords id={migration.migration_id} />}
    </Stack>
  );
}

const RECORD: StackColumn<KeptRecord> = {
  key: "record",
  header: "Record",
  heading: true,
  cell: ({ resource, record_id: id, ext_id: source, name }) => (
    <>
      {name === null ? (
        "No longer here"
      ) : (
        <TextLink href={`/${resource}/${id}`} inherit>
          <bdi>{shorten(name || (source ?? ""))}</bdi>
        </TextLink>
      )}
      <Text component="div" size="xs" c="dimmed" fw={400}>
        {RECORD_NAMES[resource].singular}
        {source !== null && ` ${source} in Salesforce`}
      </Text>
    </>
  ),
};

const WHY: StackColumn<KeptRecord> = {
  key: "reason",
  header: "Why it stays",
  wide: true,
  cell: ({ reason }) => reason,
};

const BY: StackColumn<KeptRecord> = {
  key: "by",
  header: "Because of",
  cell: ({ kept_by: by }) =>
    by && (
      <TextLink href={`/${by.resource}/${by.id}`} inherit>
        {RECORD_NAMES[by.resource].singular}
      </TextLink>
    ),
};

function KeptRecords({ id }: { id: string }) {
  const query = useKept(id);
  return (
    <section>
      <Title order={2} mb="md">
        Records that were kept
      </Title>
      <Loaded query={query} loading="Loading the records that were kept">
        {(rows) => (
          <PagedTable
            caption="Records that were kept"
            columns={[RECORD, WHY, BY]}
            rows={rows}
            rowKey={({ id: key }) => key}
            query={query}
          />
        )}
      </Loaded>
    </section>
  );
}
