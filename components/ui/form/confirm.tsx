import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type ReactNode, type SubmitEvent, useRef, useState } from "react";

import { once } from "@/components/ui/form/once";
import { useHeldOpen } from "@/components/ui/overlay/dialog";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";

interface ConfirmProps {
  /** Does it. Its refusal is shown above the question. */
  mutation: { error: unknown; isError: boolean; isPending: boolean; isSuccess: boolean };
  /** On the button that does it. */
  action: string;
  /** On the button that does not. */
  cancel?: string;
  isDangerous?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  /** What will happen. */
  children: ReactNode;
}

/** The content of a dialog that asks before it does something. The focus starts on the button that does nothing. */
export function Confirm(props: ConfirmProps) {
  const { mutation, action, cancel = "Cancel", isDangerous = true, onConfirm, onCancel, children } = props;
  useHeldOpen(mutation.isPending);
  return (
    <Stack>
      {mutation.isError && <ProblemAlert error={mutation.error} takesFocus />}
      {children}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={mutation.isPending} onClick={onCancel} data-autofocus>
          {cancel}
        </Button>
        <Button {...(isDangerous && { color: "rust" })} loading={mutation.isPending} onClick={once(onConfirm)}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}

interface ConfirmByTypingProps extends Omit<ConfirmProps, "cancel" | "isDangerous"> {
  cancel: string;
  /** What has to be typed. */
  expected: string;
  /** What that is: "the client's name". */
  what: string;
  /** Whether something else is typed into it already. */
  isBegun?: boolean;
}

/** The content of a dialog that asks before it does something for ever: the reader types a name first. */
export function ConfirmByTyping(props: ConfirmByTypingProps) {
  const { mutation, action, cancel, expected, what, isBegun = false, onConfirm, onCancel, children } = props;
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useHeldOpen(mutation.isPending, isBegun || typed !== "");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (typed.trim() === expected) return onConfirm();
    setFault(`That is not ${what}. Type it as it stands above.`);
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {mutation.isError && <ProblemAlert error={mutation.error} takesFocus />}
        {children}
        <TextInput
          ref={field}
          label={
            <>
              Type <b>{expected}</b> to confirm
            </>
          }
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setFault(null);
          }}
          error={fault}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={mutation.isPending} onClick={onCancel}>
            {cancel}
          </Button>
          <Button type="submit" color="rust" loading={mutation.isPending || mutation.isSuccess}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
