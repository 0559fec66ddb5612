"use client";

import { Radio, Stack, Text } from "@mantine/core";
import { type SubmitEvent, useEffect, useId, useState } from "react";

import { OwnSecret } from "@/components/settings/webhooks/form/secret-fields";
import { faultsOf } from "@/components/settings/webhooks/form/webhook-values";
import { EndsAtOnce } from "@/components/settings/webhooks/secret/ends-at-once";
import { DialogActions } from "@/components/ui/form/dialog-actions";
import { FormShell } from "@/components/ui/form/form-shell";
import { focusFault } from "@/components/ui/form/show-faults";
import { useHeldOpen } from "@/components/ui/overlay/dialog";

interface RotateFormProps {
  isSigned: boolean;
  /** Until when the previous secret signs too. */
  previousUntil: string | null;
  isBusy: boolean;
  error: Error | null;
  /** Gets the reader's own secret, or null to have one made. */
  onRotate: (own: string | null) => void;
  onClose: () => void;
}

/** Asks where the new secret comes from. */
export function RotateForm({ isSigned, previousUntil, isBusy, error, onRotate, onClose }: RotateFormProps) {
  const formId = useId();
  const [choice, setChoice] = useState("generate");
  const [own, setOwn] = useState("");
  const faults = faultsOf(error);
  useHeldOpen(isBusy, choice === "own" && own !== "");
  useEffect(() => {
    if (error) focusFault(formId);
  }, [error, formId]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onRotate(choice === "own" ? own : null);
  };
  const actions = (
    <DialogActions isPending={isBusy} onCancel={onClose}>
      {isSigned ? "Rotate the secret" : "Add the secret"}
    </DialogActions>
  );
  return (
    <FormShell id={formId} onSubmit={submit} refusal={faults ? null : error} actions={actions}>
      {isSigned && (
        <Text size="sm">
          For 24 hours the old secret and the new one both sign, so that no delivery fails while you replace it at the
          receiver.
        </Text>
      )}
      <EndsAtOnce until={previousUntil} />
      <Radio.Group label="The new secret" value={choice} onChange={setChoice}>
        <Stack gap="sm" mt="sm">
          <Radio value="generate" label="Make one for me" description="256 random bits, shown once." data-autofocus />
          <Radio value="own" label="I bring my own" description="For a receiver that has one already." />
        </Stack>
      </Radio.Group>
      {choice === "own" && (
        <OwnSecret value={own} onChange={(event) => setOwn(event.currentTarget.value)} error={faults?.["secret"]} />
      )}
    </FormShell>
  );
}
