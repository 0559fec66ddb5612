import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import { showProblem } from "@/components/ui/feedback/show-problem";

interface UndoOptions {
  /** What was done. */
  title: string;
  message: string;
  /** Takes it back. */
  undo: () => Promise<unknown>;
  /** What is said when it is taken back. */
  undone: string;
}

/** Long enough to read it and to reach the button by keyboard (WCAG 2.2, 2.2.1). */
const SHOWN_MS = 20_000;

/** Says what was done, with a button that takes it back. */
export function showUndo({ title, message, undo, undone }: UndoOptions): void {
  const takeBack = async (id: string) => {
    notifications.hide(id);
    try {
      await undo();
      notifications.show({ message: undone });
    } catch (error) {
      showProblem(error);
    }
  };
  const id: string = notifications.show({
    title,
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {message}
        </Text>
        <Button variant="default" size="compact-sm" onClick={() => void takeBack(id)}>
          Undo
        </Button>
      </Group>
    ),
  });
}
