import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import { showProblem } from "@/components/ui/feedback/show-problem";
import { warnUntil } from "@/components/ui/leave/leaving";

interface UndoOptions {
  /** What was done. */
  title: string;
  message: string;
  /** Takes it back. What takes long tells meanwhile how far it is: "Restoring 120 of 2,000". */
  undo: (tell: (progress: string) => void) => Promise<unknown>;
  /** What is said when it is taken back. */
  undone: string;
}

/** Long enough to read it and to reach the button by keyboard (WCAG 2.2, 2.2.1). */
const SHOWN_MS = 20_000;

/** Says what was done, with a button that takes it back. Until that is done, it says how far it is. */
export function showUndo({ title, message, undo, undone }: UndoOptions): void {
  const id: string = notifications.show({
    title,
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {message}
        </Text>
        <Button variant="default" size="compact-sm" onClick={() => void takeBack(id, undo, undone)}>
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Takes back what a message tells of, in its place. The browser asks before the page is closed meanwhile. */
export async function takeBack(id: string, undo: UndoOptions["undo"], undone: string): Promise<void> {
  const underWay = new AbortController();
  warnUntil(underWay.signal);
  tellProgress(id, "Undoing…");
  try {
    await undo((progress) => tellProgress(id, progress));
    notifications.show({ message: undone });
  } catch (error) {
    showProblem(error);
  } finally {
    underWay.abort();
    notifications.hide(id);
  }
}

function tellProgress(id: string, progress: string): void {
  notifications.update({
    id,
    loading: true,
    autoClose: false,
    allowClose: false,
    withCloseButton: false,
    // Screen readers would read every step.
    message: <span aria-live="off">{progress}</span>,
  });
}
