import { Badge, Group, Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { loadAll } from "@/components/api/load-all";
import { queryKeys } from "@/components/api/query-keys";
import { FileList } from "@/components/records/files/file-list";
import type { RecordFile } from "@/components/records/files/record-file";
import { inWords } from "@/components/ui/text/format";
import { Moment } from "@/components/ui/text/moment";
import { type AnyRecord, textOf } from "@/components/records/record";
import { Author } from "@/components/records/thread/author";
import classes from "@/components/records/thread/case-thread.module.css";
import { AddComment } from "@/components/records/thread/add-comment";
import { splitQuoted } from "@/components/records/thread/quoted-history";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { TextLink } from "@/components/ui/text/links";

/** The comments and e-mails of a case, oldest first. */
export function CaseThread({ caseId }: { caseId: string }) {
  const query = useQuery({
    queryKey: queryKeys.thread(caseId),
    queryFn: ({ signal }) => loadAll<AnyRecord>(`/cases/${caseId}/comments`, signal),
  });
  const files = useQuery({
    queryKey: queryKeys.threadFiles(caseId),
    queryFn: ({ signal }) => loadAll<RecordFile>(`/files?case_id=${caseId}`, signal),
    select: byRecord,
  });
  return (
    <>
      {files.isError && (
        <ProblemAlert error={files.error} onRetry={() => void files.refetch()}>
          <Text size="sm">The files of the thread could not be loaded.</Text>
        </ProblemAlert>
      )}
      <Loaded query={query} loading="Loading the thread">
        {(entries) => <Thread caseId={caseId} entries={entries} files={files.data ?? NO_FILES} />}
      </Loaded>
    </>
  );
}

type FilesByRecord = ReadonlyMap<string, readonly RecordFile[]>;

const NO_FILES: FilesByRecord = new Map();

/** The whole thread's files come at once: a request for each entry would be hundreds. */
function byRecord(files: readonly RecordFile[]): FilesByRecord {
  return Map.groupBy(files, (file) => file.record_id);
}

interface ThreadProps {
  caseId: string;
  entries: readonly AnyRecord[];
  files: FilesByRecord;
}

function Thread({ caseId, entries, files }: ThreadProps) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="thread">
      <Title order={2} size="h3" id="thread" mb="md">
        Thread
      </Title>
      {entries.length === 0 && <Text c="dimmed">Nobody has written anything on this case.</Text>}
      <ol className={classes.thread}>
        {entries.map((entry) => (
          <ThreadEntry key={entry.id} entry={entry} files={files.get(entry.id) ?? []} />
        ))}
      </ol>
      <AddComment caseId={caseId} />
    </Paper>
  );
}

function ThreadEntry({ entry, files }: { entry: AnyRecord; files: readonly RecordFile[] }) {
  const { own, quoted } = splitQuoted(textOf(entry, "body"));
  return (
    <li className={classes.entry} data-side={sideOf(entry)} data-internal={entry.is_public !== true || undefined}>
      <Group gap="xs" mb={6}>
        <Text component="span" fw={600} size="sm" style={{ overflowWrap: "anywhere" }}>
          <bdi>
            <Author entry={entry} />
          </bdi>
        </Text>
        <Text component="span" size="sm" c="dimmed">
          {inWords(textOf(entry, "kind") || "comment")},{" "}
          <TextLink href={`/case_comments/${entry.id}`} inherit c="dimmed" underline="always">
            <Moment iso={entry.created_at} />
          </TextLink>
        </Text>
        {isDraft(entry) && (
          <Badge size="sm" color="gray">
            Draft
          </Badge>
        )}
        <Badge size="sm" color={entry.is_public === true ? "sky" : "amber"}>
          {entry.is_public === true ? "Public" : "Internal"}
        </Badge>
      </Group>
      <div className={classes.body} dir="auto">
        {own}
      </div>
      {quoted && (
        <details className={classes.quoted}>
          <summary>Earlier messages</summary>
          <div className={classes.body} dir="auto">
            {quoted}
          </div>
        </details>
      )}
      {files.length > 0 && (
        <div className={classes.files}>
          <FileList files={files} />
        </div>
      )}
    </li>
  );
}

/** Whether an e-mail was a draft when it was migrated: Salesforce codes that in its status (EmailMessage, "Status"). */
function isDraft({ kind, custom_fields: { Status } }: AnyRecord): boolean {
  return kind === "email_outbound" && Status === "5";
}

/** What comes from the customer stands left, what we have written right. */
function sideOf(entry: AnyRecord): "customer" | "ours" {
  return entry.kind === "email_inbound" ? "customer" : "ours";
}
