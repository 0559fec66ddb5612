import { Anchor, Paper, Text, Title } from "@mantine/core";

import { type CopiedFiles, filesInWords } from "@/components/migration/migrate/file-words";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatBytes, formatDuration, formatNumber } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";

type LeftOut = CopiedFiles["left_out"][number];

/** What became of the files of the records, and which of them stayed in Salesforce. */
export function FilesOutcome({ migration }: { migration: Migration }) {
  const { files, undo, ext_instance_url: instanceUrl } = migration;
  if (!files) return null;
  const leftOut = files.skipped + files.failed;
  return (
    <section aria-labelledby="files">
      <Title order={2} id="files" mb="xs">
        Files
      </Title>
      <Text c="dimmed" mb={leftOut > 0 ? "md" : 0}>
        {filesInWords(files)}.
        {files.finished ? ` It took ${formatDuration(files.seconds)}.` : " The run ended before all were looked for."}
        {files.failed > 0 && !undo?.failed && " Run the migration again to try those that failed once more."}
        {leftOut > files.left_out.length && ` The first ${formatNumber(files.left_out.length)} left out are:`}
      </Text>
      {files.left_out.length > 0 && (
        <Paper withBorder px={{ base: "md", sm: "xs" }}>
          <StackTable
            caption="Files that were left out"
            columns={columnsOf(instanceUrl)}
            rows={files.left_out}
            rowKey={({ ext_id: extId }) => extId}
          />
        </Paper>
      )}
    </section>
  );
}

function columnsOf(instanceUrl: string): StackColumn<LeftOut>[] {
  return [
    {
      key: "name",
      header: "File in Salesforce",
      heading: true,
      cell: ({ ext_id: extId, name }) => (
        <Anchor href={`${instanceUrl}/${extId}`} target="_blank" rel="noreferrer" inherit fw={400}>
          <bdi>{name || extId}</bdi>
        </Anchor>
      ),
    },
    { key: "size", header: "Size", numeric: true, cell: ({ size }) => (size > 0 ? formatBytes(size) : "unknown") },
    { key: "reason", header: "Why it was left out", wide: true, cell: ({ reason }) => reason },
  ];
}
