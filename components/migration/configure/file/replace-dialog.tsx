import { Button, Group, Modal, Stack, Text } from "@mantine/core";

import { ChangeList } from "@/components/migration/configure/draft/change-list";
import { changesBetween } from "@/components/migration/configure/draft/changes";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";

export interface ChosenFile {
  name: string;
  body: { configuration?: unknown };
}

interface ReplaceDialogProps {
  opened: boolean;
  /** Null until a file is chosen. */
  file: ChosenFile | null;
  onClose: () => void;
  onReplace: (file: ChosenFile) => void;
}

/** Says which of the saved choices a file replaces, and asks whether it should. */
export function ReplaceDialog({ opened, file, onClose, onReplace }: ReplaceDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Replace the saved choices?">
      {file && (
        <Stack>
          <Replaced file={file} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button onClick={() => onReplace(file)}>Replace the choices</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** As far as the file can be read here; the service checks all of it. */
function Replaced({ file }: { file: ChosenFile }) {
  const { saved } = useEditing();
  const given = configurationSchema.safeParse(file.body.configuration);
  const changes = given.success ? changesBetween(saved, given.data) : null;
  return (
    <>
      <Text size="sm">
        <b>
          <bdi>{file.name}</bdi>
        </b>{" "}
        {changes?.length === 0
          ? "holds the choices that are saved already."
          : "replaces all saved choices of this migration. It cannot be undone; export them first to keep them."}
      </Text>
      {changes !== null && changes.length > 0 && (
        <>
          <Text size="sm">These become different:</Text>
          <ChangeList changes={changes} />
        </>
      )}
    </>
  );
}
