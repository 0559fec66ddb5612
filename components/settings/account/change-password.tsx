"use client";

import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { z } from "zod";

import { NewPasswordInput } from "@/components/account/new-password-input";
import { faultsOfFields } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { sendCredentials } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatCount } from "@/components/ui/text/format";
import { showFaults } from "@/components/ui/form/show-faults";
import classes from "@/components/ui/form/measure.module.css";
import { Section } from "@/components/ui/layout/section";

const BLANK = { current_password: "", new_password: "" };
const FIELDS = Object.keys(BLANK);
const changed = z.object({ sessions_ended: z.number() });

/** Changes one's own password, and says what that ends. */
export function ChangePassword({ email }: { email: string }) {
  const queries = useQueryClient();
  const formId = useId();
  const form = useForm({ initialValues: BLANK });
  const change = useMutation({
    mutationFn: (values: typeof BLANK) => sendCredentials("POST", "/password", values, changed),
    onSuccess: async ({ sessions_ended: count }) => {
      form.reset();
      await queries.invalidateQueries({ queryKey: queryKeys.sessions() });
      const message =
        count === 0
          ? "You were signed in nowhere else."
          : `${formatCount(count, "other browser")} ${count === 1 ? "is" : "are"} signed out.`;
      notifications.show({ title: "Your password is changed", message });
    },
    onError: (error) => showFaults(form, formId, faultsOfFields(error, FIELDS)),
  });
  return (
    <Section
      title="Password"
      lead="A new password signs out all your other browsers and ends a one-time link that was made for you. Apps that you have allowed keep working; remove their access under “Allowed apps”."
    >
      <form id={formId} onSubmit={form.onSubmit((values) => change.mutate(values))} noValidate className={classes.form}>
        <Stack>
          {change.isError && !faultsOfFields(change.error, FIELDS) && <ProblemAlert error={change.error} takesFocus />}
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
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
