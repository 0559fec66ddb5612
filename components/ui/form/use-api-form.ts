import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";

import { type Post, usePost } from "@/components/api/post-once";
import { incompleteDates, showFaults } from "@/components/ui/form/show-faults";
import { useHeldOpen } from "@/components/ui/overlay/dialog";

interface ApiFormOptions<Values, Answer> {
  initialValues: Values;
  /** The faults of a refusal of the values by field; null when some of them have no field. */
  faultsOf: (error: unknown, values: Values) => Record<string, string> | null;
  /** Sends the values. By `post` what is new, so that it is not there twice when the answer was lost. */
  send: (values: Values, post: Post) => Promise<Answer>;
  onSent: (answer: Answer, values: Values, form: UseFormReturnType<Values>) => unknown;
  /** What a refusal asks for beyond the form, which says it. */
  onRefused?: () => void;
  /** Leads on to another page after that, unless the reader has left the form meanwhile. */
  goOn?: (answer: Answer) => void;
  /** The form stays for further values once these are sent. Any other goes then. */
  stays?: boolean;
}

/**
 * A form whose values only the API checks; nothing is sent with a date that is typed only in part. Its faults are shown
 * at their fields, any other refusal above the form. Unless it stays, its fields are locked once it is sent: what is
 * typed then would be lost. `shell` is for `FormShell`.
 */
export function useApiForm<Values extends Record<string, unknown>, Answer>(options: ApiFormOptions<Values, Answer>) {
  const { initialValues, faultsOf, send, onSent, onRefused, goOn, stays = false } = options;
  const id = useId();
  const form = useForm<Values>({ initialValues });
  const post = usePost();
  const mutation = useMutation({
    mutationFn: (values: Values) => send(values, post),
    onSuccess: (answer, values) => onSent(answer, values, form),
    onError: () => onRefused?.(),
  });
  const submit = (values: Values) => {
    const incomplete = incompleteDates(id);
    if (incomplete) return showFaults(form, id, incomplete);
    mutation.mutate(values, {
      onSuccess: (answer) => goOn?.(answer),
      // Before it has failed for the form too, locked fields could not take the focus.
      onError: (error) => showFaults(form, id, faultsOf(error, values)),
    });
  };
  useHeldOpen(mutation.isPending, form.isDirty());
  const refusal = faultsOf(mutation.error, mutation.variables ?? initialValues) ? null : mutation.error;
  const isLocked = !stays && (mutation.isPending || mutation.isSuccess);
  return { form, mutation, shell: { id, onSubmit: form.onSubmit(submit), refusal, isLocked } };
}
