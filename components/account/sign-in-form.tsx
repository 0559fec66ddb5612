import { Button, Divider, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";

import { FormAlert } from "@/components/account/form-alert";

interface SignInFormProps {
  /** The path that the browser goes to afterwards. */
  next: string;
  email: string;
  error: string | null;
  /** The name of the OpenID provider; null when there is none. */
  provider: string | null;
}

/** Posts to /api/auth/sign-in or /api/auth/oidc; works without scripts. */
export function SignInForm({ provider, ...props }: SignInFormProps) {
  return (
    <Stack>
      <PasswordForm {...props} />
      {provider && <ProviderForm next={props.next} name={provider} />}
      <Text size="sm" c="dimmed">
        Forgotten your password? An admin of your organization gives you a new link.
      </Text>
    </Stack>
  );
}

function ProviderForm({ next, name }: { next: string; name: string }) {
  return (
    <form method="post" action="/api/auth/oidc">
      <Stack>
        <Divider label="or" />
        <input type="hidden" name="next" value={next} />
        <Button type="submit" variant="default" fullWidth>
          Sign in with {name}
        </Button>
      </Stack>
    </form>
  );
}

function PasswordForm({ next, email, error }: Omit<SignInFormProps, "provider">) {
  return (
    <form method="post" action="/api/auth/sign-in">
      <Stack>
        <Title order={1}>Sign in</Title>
        {error && <FormAlert>{error}</FormAlert>}
        <input type="hidden" name="next" value={next} />
        <TextInput
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
          withAsterisk={false}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
        />
        <Button type="submit" fullWidth mt="xs">
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
