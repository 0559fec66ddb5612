import { Button } from "@mantine/core";
import { type ReactNode, useRef } from "react";

import { isOutdated } from "@/components/api/problem";
import { Announcement } from "@/components/ui/feedback/announcement";
import { loadedLater } from "@/components/ui/feedback/loaded-later";
import type { ChangedMeanwhile as Notice, ChangedMeanwhileProps } from "@/components/ui/form/changed-meanwhile";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { FormShell, type FormShellProps } from "@/components/ui/form/form-shell";
import { SubmitButton } from "@/components/ui/form/submit-button";

const ChangedMeanwhile = loadedLater(
  async () => (await import("@/components/ui/form/changed-meanwhile")).ChangedMeanwhile,
) as typeof Notice;

interface EditShellProps<Item extends { version: number }> extends Pick<
  ChangedMeanwhileProps<Item>,
  "noun" | "query" | "differences"
> {
  /** What `useEditForm` returned. */
  edit: {
    shell: Pick<FormShellProps, "id" | "onSubmit" | "refusal">;
    mutation: { isPending: boolean; isSuccess: boolean };
    known: Item;
    setKnown: (now: Item) => void;
    discard: () => void;
    isChanged: boolean;
  };
  isNarrow?: boolean;
  children: ReactNode;
}

/** A form that changes an item: its fields, a button that saves and one that discards, and what is in the way. */
export function EditShell<Item extends { version: number }>(props: EditShellProps<Item>) {
  const { edit, isNarrow = false, children, ...notice } = props;
  const { shell, mutation, known, setKnown, discard, isChanged } = edit;
  const hasChanged = isOutdated(shell.refusal);
  const save = useRef<HTMLButtonElement>(null);
  // What discards goes with the changes.
  const discardHere = () => {
    discard();
    save.current?.focus();
  };
  const actions = (
    <>
      {isChanged && (
        <Button variant="default" onClick={discardHere}>
          Discard changes
        </Button>
      )}
      {/* A half-typed date that was removed again has left its fault behind. */}
      <SubmitButton ref={save} isPending={mutation.isPending} isUnchanged={!isChanged} onNothing={discard}>
        Save changes
      </SubmitButton>
    </>
  );
  return (
    <FormShell {...shell} refusal={hasChanged ? null : shell.refusal} isNarrow={isNarrow} actions={actions}>
      {hasChanged && <ChangedMeanwhile known={known} onRead={setKnown} onDiscard={discardHere} {...notice} />}
      {children}
      <LeaveGuard isUnsaved={isChanged} what="Your changes" />
      <Announcement>{mutation.isSuccess && !isChanged && "Saved."}</Announcement>
    </FormShell>
  );
}
