import { Button, Stack, Text, Title } from "@mantine/core";

/** Posts to /api/auth/sign-out; works without scripts. */
export function SignOutForm({ email }: { email: string }) {
  return (
    <form method="post" action="/api/auth/sign-out">
      <Stack>
        <Title order={1}>Sign out</Title>
        <Text style={{ overflowWrap: "anywhere" }}>You are signed in as {email}.</Text>
        <Button type="submit" fullWidth>
          Sign out
        </Button>
      </Stack>
    </form>
  );
}
