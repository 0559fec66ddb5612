import { Alert, Button, FileButton, Paper, Stack, Text, Title } from "@mantine/core";
import { IconCheck, IconUpload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Faults } from "@/components/migration/configure/file/faults";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatCount } from "@/components/ui/text/format";
import { type ImportedChoices, importedChoices } from "@/lib/migration/configuration/exported-schema";

/** Replaces the saved choices by those of a file. All of them are checked before any is stored. */
export function ImportChoices() {
  const { migration, isLocked, isChanged } = useEditing();
  const read = useImport(migration.migration_id);
  const faults = read.error instanceof Problem ? read.error.errors : [];
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={3}>Import</Title>
      <Text size="sm" c="dimmed" mb="sm">
        A file that was exported here replaces the saved choices, after all of it has been checked.
      </Text>
      <Stack gap="sm" align="flex-start">
        <ChooseFile
          isDisabled={isLocked || isChanged}
          isBusy={read.isPending}
          onChoose={(file) => read.mutate({ file, leavesOut: false })}
        />
        {isChanged && (
          <Text size="sm" c="dimmed">
            Save or discard your changes first.
          </Text>
        )}
        {read.isError && <ProblemAlert error={read.error} takesFocus />}
        {faults.length > 0 && (
          <>
            <Faults faults={faults} />
            <Button
              variant="default"
              size="xs"
              onClick={() => read.variables && read.mutate({ ...read.variables, leavesOut: true })}
            >
              Import without the choices that are no longer there
            </Button>
          </>
        )}
        {read.data && <Imported imported={read.data} />}
      </Stack>
    </Paper>
  );
}

interface ChooseFileProps {
  isDisabled: boolean;
  isBusy: boolean;
  onChoose: (file: File) => void;
}

function ChooseFile({ isDisabled, isBusy, onChoose }: ChooseFileProps) {
  return (
    <FileButton accept="application/json,.json" disabled={isDisabled} onChange={(file) => file && onChoose(file)}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          disabled={isDisabled}
          loading={isBusy}
          leftSection={<IconUpload size={16} stroke={1.6} aria-hidden />}
        >
          Import a file
        </Button>
      )}
    </FileButton>
  );
}

function Imported({ imported: { left_out: leftOut, warnings } }: { imported: ImportedChoices }) {
  return (
    <Alert color="pine" icon={<IconCheck aria-hidden />} title="The choices of the file are saved">
      {leftOut.length > 0 && (
        <>
          <Text size="sm">{formatCount(leftOut.length, "choice was", "choices were")} left out:</Text>
          <Faults faults={leftOut} />
        </>
      )}
      <Faults faults={warnings} />
    </Alert>
  );
}

function useImport(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, leavesOut }: { file: File; leavesOut: boolean }) =>
      sendJson(
        "POST",
        `/migration/${id}/configuration/import`,
        { ...readChoices(await file.text()), ...(leavesOut && { leave_out_void: true }) },
        importedChoices,
      ),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.configuration(id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.choices(id) }),
      ]),
  });
}

/** The object in a file. Throws a problem in plain words for anything else. */
function readChoices(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Said below: to the reader it makes no difference.
  }
  throw new Problem(
    "This is no exported configuration",
    "The file holds no JSON object. Choose a file that was exported here.",
    0,
    "invalid_file",
  );
}
