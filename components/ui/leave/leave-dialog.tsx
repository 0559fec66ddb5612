import { Button, Group, Modal, Stack, Text } from "@mantine/core";

interface LeaveDialogProps {
  opened: boolean;
  what: string;
  onClose: () => void;
  onLeave: () => void;
}

/** Asks whether to leave a page with unsaved input. */
export function LeaveDialog({ opened, what, onClose, onLeave }: LeaveDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Leave without saving?">
      <Stack>
        <Text size="sm">{what} are not saved. They are lost if you leave now.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            Stay here
          </Button>
          <Button color="rust" onClick={onLeave}>
            Leave without saving
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
