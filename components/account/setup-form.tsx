import { Button, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";

import { FormAlert } from "@/components/account/form-alert";

interface SetupFormProps {
  values: Record<string, string>;
  /** A sentence per field. */
  faults: Record<string, string>;
  /** The visit comes from another machine than the service's own. */
  needsCode: boolean;
}

/** Posts to /api/auth/setup; works without scripts. What is missing is told by our own sentences, not in the bubbles of the browser. */
export function SetupForm({ values, faults, needsCode }: SetupFormProps) {
  const count = Object.keys(faults).length;
  const field = (name: string) => ({ name, defaultValue: values[name] ?? "", error: faults[name], required: true, withAsterisk: false });
  return (
    <form method="post" action="/api/auth/setup" noValidate>
      <Stack>
        <Title order={1}>Welcome</Title>
        <Text c="dimmed">This service is new. Name your organization and create the account that looks after it.</Text>
        {count > 0 && <FormAlert>{count === 1 ? "One field needs another look." : `${count} fields need another look.`}</FormAlert>}
        {needsCode && (
          <TextInput
            label="Setup code"
            description="Asked for because you come from another machine, or through a proxy. The service prints it on its console when it starts."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...field("setup_code")}
          />
        )}
        <TextInput label="Organization" autoComplete="organization" {...field("organization")} />
        <TextInput label="Your name" autoComplete="name" {...field("name")} />
        <TextInput label="E-mail address" type="email" autoComplete="username" {...field("email")} />
        <PasswordInput
          label="Password"
          description="At least 12 characters, and none that can be guessed: four unrelated words are easy to keep in mind."
          name="password"
          autoComplete="new-password"
          error={faults["password"]}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
        />
        <Button type="submit" fullWidth mt="xs">
          Create the organization and sign in
        </Button>
      </Stack>
    </form>
  );
}
