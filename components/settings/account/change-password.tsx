"use client";

import { Button, PasswordInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";

import { NewPasswordInput } from "@/components/account/new-password-input";
import { faultsByField } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { sendCredentials } from "@/components/api/request";
import { FormShell } from "@/components/ui/form/form-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { Section } from "@/components/ui/layout/section";
import { formatCount } from "@/components/ui/text/format";

const BLANK = { current_password: "", new_password: "" };
/** Changes the reader's own password, and says what that ended. */
export function ChangePassword({ email }: { email: string }) {
  const queries = useQueryClient();
  const { form, mutation, shell } = useApiForm({
    initialValues: BLANK,
    stays: true,
    faultsOf: (error) => faultsByField(error, Object.keys(BLANK)),
    send: (values) => sendCredentials<{ sessions_ended: number }>("POST", "/password", values),
    onSent: async ({ sessions_ended: count }, _, { reset }) => {
      reset();
      await queries.invalidateQueries({ queryKey: queryKeys.sessions() });
      notifyChanged(count);
    },
  });
  const submit = (
    <Button type="submit" loading={mutation.isPending}>
      Change the password
    </Button>
  );
  return (
    <Section
      title="Password"
      lead={
        "A new password signs out all your other browsers and ends a one-time link that was made for you. Apps that " +
        "you have allowed keep working; remove their access under “Allowed apps”."
      }
    >
      <FormShell {...shell} isNarrow actions={submit}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          aria-invalid={Boolean(form.errors["current_password"])}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the current password", tabIndex: 0 }}
          {...form.getInputProps("current_password")}
        />
        <NewPasswordInput label="New password" {...form.getInputProps("new_password")} />
      </FormShell>
    </Section>
  );
}

function notifyChanged(count: number): void {
  const message =
    count === 0
      ? "You were signed in nowhere else."
      : `${formatCount(count, "other browser")} ${count === 1 ? "is" : "are"} signed out.`;
  notifications.show({ title: "Your password is changed", message });
}
