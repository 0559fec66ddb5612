import { Button, Stack, Text, TextInput, Title } from "@mantine/core";

import { FormAlert } from "@/components/account/form-alert";
import { NewPasswordInput } from "@/components/account/new-password-input";
import { SetupCodeField } from "@/components/account/setup-code-field";

interface SetupFormProps {
  values: Record<string, string>;
  /** A sentence per field. */
  faults: Record<string, string>;
}

/**
 * Posts to /api/auth/setup; works without scripts. Our own sentences say what is missing, not the browser's bubbles.
 */
export function SetupForm({ values, faults }: SetupFormProps) {
  const count = Object.keys(faults).length;
  const field = (name: string) => ({
    name,
    defaultValue: values[name] ?? "",
    error: faults[name],
    required: true,
    withAsterisk: false,
  });
  return (
    <form method="post" action="/api/auth/setup" noValidate>
      <Stack>
        <Title order={1}>Welcome</Title>
        <Text c="dimmed">This service is new. Name your organization and create the account that manages it.</Text>
        {count > 0 && (
          <FormAlert>{count === 1 ? "One field needs another look." : `${count} fields need another look.`}</FormAlert>
        )}
        <SetupCodeField value={values["setup_code"] ?? ""} error={faults["setup_code"]} />
        <TextInput label="Organization" autoComplete="organization" {...field("organization")} />
        <TextInput label="Your name" autoComplete="name" {...field("name")} />
        <TextInput label="E-mail address" type="email" autoComplete="username" {...field("email")} />
        <NewPasswordInput label="Password" name="password" error={faults["password"]} />
        <Button type="submit" fullWidth mt="xs">
          Create the organization and sign in
        </Button>
      </Stack>
    </form>
  );
}
