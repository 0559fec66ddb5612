import { TextInput } from "@mantine/core";

import type { ClientForm } from "@/components/settings/api/form/client-values";

export function NameField({ form }: { form: ClientForm }) {
  return (
    <TextInput
      label="Name"
      description="People see it when they are asked to allow the client."
      autoComplete="off"
      required
      {...form.getInputProps("name")}
    />
  );
}
