import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { faultsByField } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { NewLink } from "@/components/settings/members/new-link";
import { SecretDialog } from "@/components/ui/overlay/secret-dialog";
import { DialogActions } from "@/components/ui/form/dialog-actions";
import { FormShell } from "@/components/ui/form/form-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import type { Member, PasswordLink } from "@/lib/sessions/schemas";

const FIELDS = ["name", "email", "role"];
const BLANK = { name: "", email: "", role: "member" };

interface Added {
  member: Member;
  link: PasswordLink;
}

/** Adds a member, and shows once the link by which they set a password. */
export function AddMember({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [done, setDone] = useState<Added | null>(null);
  return (
    <SecretDialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setDone(null)}
      title={done ? <bdi>{done.member.name} is added</bdi> : "Add a member"}
      showsSecret={done !== null}
      size={done ? "xl" : "md"}
    >
      {done ? (
        <NewLink url={done.link.url} name={done.member.name} onDone={onClose} />
      ) : (
        <Form onAdded={setDone} onCancel={onClose} />
      )}
    </SecretDialog>
  );
}

function Form({ onAdded, onCancel }: { onAdded: (answer: Added) => void; onCancel: () => void }) {
  const queries = useQueryClient();
  const { form, mutation, shell } = useApiForm({
    initialValues: BLANK,
    faultsOf: (error) => faultsByField(error, FIELDS),
    send: (values) => sendJson<Added>("POST", "/settings/members", values),
    onSent: (answer) => {
      onAdded(answer);
      return queries.invalidateQueries({ queryKey: queryKeys.members() });
    },
  });
  const actions = (
    <DialogActions isPending={mutation.isPending} onCancel={onCancel}>
      Add the member
    </DialogActions>
  );
  return (
    <FormShell {...shell} actions={actions}>
      <TextInput label="Name" required autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="E-mail address"
        type="email"
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("email")}
      />
      <Radio.Group label="Role" {...form.getInputProps("role")}>
        <Stack gap="xs" mt={6}>
          <Radio value="member" label="Member" description="Works with all records and migrations." />
          <Radio
            value="admin"
            label="Admin"
            description="Also manages the organization, members, API clients and webhooks, and reads the audit log."
          />
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        You get a one-time link to hand over, by which they set a password.
      </Text>
    </FormShell>
  );
}
