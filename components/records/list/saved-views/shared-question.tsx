import { Text } from "@mantine/core";

import type { useChangeViews } from "@/components/records/list/saved-views/use-saved-views";
import { Confirm } from "@/components/ui/form/confirm";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import { Dialog } from "@/components/ui/overlay/dialog";
import type { SavedView } from "@/lib/settings/views/view-schema";

interface Asked {
  view: SavedView;
  verb: "Delete" | "Replace";
  act: () => void | Promise<void>;
}

/** Asks before a shared view is deleted or replaced, which it is for everybody. Other views need no question. */
export function useSharedQuestion() {
  const { open, ...question } = useDialog<Asked>();
  const ask = (view: SavedView | undefined, verb: Asked["verb"], act: Asked["act"]) => {
    if (view?.is_shared) open({ view, verb, act });
    else void act();
  };
  return { ...question, ask };
}

interface SharedQuestionProps extends Omit<ReturnType<typeof useSharedQuestion>, "ask"> {
  change: ReturnType<typeof useChangeViews>;
}

/** The question itself. A refusal is shown below it, in the dialog of the views. */
export function SharedQuestion({ subject, isOpen, close, change }: SharedQuestionProps) {
  if (!subject) return null;
  const { view, verb, act } = subject;
  const confirm = () => {
    close();
    void act();
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      title={
        <>
          {verb} “<bdi>{view.name}</bdi>”?
        </>
      }
    >
      <Confirm mutation={{ ...change, isError: false }} action={`${verb} it`} onConfirm={confirm} onCancel={close}>
        <Text size="sm">
          {verb === "Delete"
            ? "You share this view: it goes for everybody in the organization."
            : "You share this view: everybody in the organization sees what your list shows now under this name."}
        </Text>
      </Confirm>
    </Dialog>
  );
}
