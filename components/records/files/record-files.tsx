import { Paper, Title } from "@mantine/core";

import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import { FileList } from "@/components/records/files/file-list";
import type { RecordFile } from "@/components/records/files/record-file";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { LoadMore } from "@/components/ui/layout/load-more";

/** The files of a record. Nothing for a record without files, as most are: only migrations bring files. */
export function RecordFiles({ id }: { id: string }) {
  const query = useList<RecordFile>({
    queryKey: queryKeys.files(id),
    path: `/files?record_id=${id}&limit=${SHORT_PAGE}`,
  });
  if (query.isError && !query.isFetchNextPageError)
    return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data?.length) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="files">
      <Title order={2} size="h3" id="files" mb="md">
        Files
      </Title>
      <FileList files={query.data} />
      <LoadMore query={query} end={null} />
    </Paper>
  );
}
