import { Alert, Button, FileButton, Paper, Stack, Text, Title } from "@mantine/core";
import { IconCheck, IconUpload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Faults } from "@/components/migration/configure/file/faults";
import type { ChosenFile } from "@/components/migration/configure/file/replace-dialog";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import { onDemand } from "@/components/ui/overlay/on-demand";
import { formatCount } from "@/components/ui/text/format";
import type { ImportedChoices } from "@/lib/migration/configuration/exported-schema";

const ReplaceDialog = onDemand(
  async () => (await import("@/components/migration/configure/file/replace-dialog")).ReplaceDialog,
);

/** Replaces the saved choices by those of a file. All of them are checked before any is stored. */
export function ImportChoices() {
  const { migration, tag, isLocked, isChanged } = useEditing();
  const dialog = useDialog<ChosenFile>();
  const [unreadable, setUnreadable] = useState<unknown>(null);
  const read = useImport(migration.migration_id);
  const choose = async (file: File) => {
    read.reset();
    setUnreadable(null);
    try {
      dialog.open({ name: file.name, body: readChoices(await file.text()) });
    } catch (error) {
      setUnreadable(error);
    }
  };
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={3}>Import</Title>
      <Text size="sm" c="dimmed" mb="sm">
        A file that was exported here replaces the saved choices, after all of it has been checked.
      </Text>
      <Stack gap="sm" align="flex-start">
        <ChooseFile isDisabled={isLocked || isChanged} isBusy={read.isPending} onChoose={(file) => void choose(file)} />
        {isChanged && (
          <Text size="sm" c="dimmed">
            Save or discard your changes first.
          </Text>
        )}
        {unreadable !== null && <ProblemAlert error={unreadable} takesFocus />}
        <ImportOutcome read={read} />
      </Stack>
      <ReplaceDialog
        opened={dialog.isOpen}
        onClose={dialog.close}
        file={dialog.subject}
        onReplace={({ body }) => {
          dialog.close();
          read.mutate({ body, tag, leavesOut: false });
        }}
      />
    </Paper>
  );
}

/** What was stored, or why not: then the way on without the choices that name what is gone. */
function ImportOutcome({ read }: { read: ReturnType<typeof useImport> }) {
  if (read.data) return <Imported imported={read.data} />;
  if (!read.isError) return null;
  const faults = read.error instanceof Problem ? read.error.errors : [];
  return (
    <>
      <ProblemAlert error={read.error} takesFocus />
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
    </>
  );
}

interface ChooseFileProps {
  isDisabled: boolean;
  isBusy: boolean;
  onChoose: (file: File) => void;
}

function ChooseFile({ isDisabled, isBusy, onChoose }: ChooseFileProps) {
  const reset = useRef<() => void>(null);
  const choose = (file: File | null) => {
    // Else the browser says nothing when the same file, changed meanwhile, is chosen again.
    reset.current?.();
    if (file) onChoose(file);
  };
  return (
    <FileButton resetRef={reset} accept="application/json,.json" disabled={isDisabled} onChange={choose}>
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

interface Import {
  body: object;
  /** The tag of the choices that the reader saw. Others that were saved meanwhile are not replaced. */
  tag: string | null;
  leavesOut: boolean;
}

function useImport(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body, tag, leavesOut }: Import) =>
      sendJson<ImportedChoices>(
        "POST",
        `/migration/${id}/configuration/import`,
        { ...body, ...(leavesOut && { leave_out_void: true }) },
        tag,
      ),
    // Also after a refusal: others may have saved choices meanwhile.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.configuration(id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.choices(id) }),
      ]),
  });
}

/** The object in a file. Throws a problem in plain words for anything else. */
function readChoices(text: string): ChosenFile["body"] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Said below: to the reader it makes no difference.
  }
  throw new Problem({
    title: "This is no exported configuration",
    detail: "The file holds no JSON object. Choose a file that was exported here.",
    code: "invalid_file",
  });
}
