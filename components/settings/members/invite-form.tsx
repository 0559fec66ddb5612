import { Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";

import { faultsByField } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { memberPath } from "@/components/settings/members/use-members";
import { DialogActions } from "@/components/ui/form/dialog-actions";
import { FormShell } from "@/components/ui/form/form-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import type { Member, PasswordLink } from "@/lib/sessions/schemas";

interface InviteFormProps {
  member: Member;
  onCancel: () => void;
  /** Gets the one-time link. */
  onLink: (url: string) => void;
}

/** Gives a member whom a migration made their e-mail address, and makes the link by which they set a password. */
export function InviteForm({ member, onCancel, onLink }: InviteFormProps) {
  const queries = useQueryClient();
  const { form, mutation, shell } = useApiForm({
    initialValues: { email: "" },
    faultsOf: (error) => faultsByField(error, ["email"]),
    send: (values) => sendJson<{ link: PasswordLink }>("POST", `${memberPath(member.user_id)}/invite`, values),
    onSent: ({ link }) => {
      onLink(link.url);
      return queries.invalidateQueries({ queryKey: queryKeys.members() });
    },
  });
  const actions = (
    <DialogActions isPending={mutation.isPending} onCancel={onCancel}>
      Invite
    </DialogActions>
  );
  return (
    <FormShell {...shell} actions={actions}>
      <Text size="sm">
        A migration made this member, so that records keep their owner. With an e-mail address they can sign in and find
        the records that were theirs in Salesforce.
      </Text>
      <TextInput
        label="E-mail address"
        type="email"
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps("email")}
      />
      <Text size="sm" c="dimmed">
        You get a one-time link to hand over, by which they set a password.
      </Text>
    </FormShell>
  );
}
