import { Button, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { z } from "zod";

import { faultsOfFields } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { showFaults } from "@/components/ui/form/show-faults";
import { NewLink } from "@/components/settings/members/new-link";
import { member, passwordLink } from "@/lib/sessions/schemas";

const added = z.object({ member: member.pick({ name: true }), link: passwordLink.pick({ url: true }) });
const FIELDS = ["name", "email", "role"];
const BLANK = { name: "", email: "", role: "member" };

/** Adds somebody by name, e-mail address and role, and shows the link by which they set a password, once. */
export function AddMember({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [done, setDone] = useState<z.infer<typeof added> | null>(null);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setDone(null)}
      title={done ? <bdi>{done.member.name} is added</bdi> : "Add a member"}
      closeOnClickOutside={!done}
      closeOnEscape={!done}
      size={done ? "xl" : "md"}
    >
      {done ? (
        <NewLink url={done.link.url} name={done.member.name} onDone={onClose} />
      ) : (
        <Form onAdded={setDone} onCancel={onClose} />
      )}
    </Modal>
  );
}

function Form({ onAdded, onCancel }: { onAdded: (answer: z.infer<typeof added>) => void; onCancel: () => void }) {
  const queries = useQueryClient();
  const formId = useId();
  const form = useForm({ initialValues: BLANK });
  const add = useMutation({
    mutationFn: (values: typeof BLANK) => sendJson("POST", "/settings/members", values, added),
    onSuccess: (answer) => {
      onAdded(answer);
      return queries.invalidateQueries({ queryKey: queryKeys.members() });
    },
    onError: (error) => showFaults(form, formId, faultsOfFields(error, FIELDS)),
  });
  return (
    <form id={formId} onSubmit={form.onSubmit((values) => add.mutate(values))} noValidate>
      <Stack>
        {add.isError && !faultsOfFields(add.error, FIELDS) && <ProblemAlert error={add.error} takesFocus />}
        <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label="E-mail address"
          type="email"
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
              description="Also manages members, API clients and webhooks, and reads the audit log."
            />
          </Stack>
        </Radio.Group>
        <Text size="sm" c="dimmed">
          You get a one-time link to hand over, by which they set a password.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Add the member
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
