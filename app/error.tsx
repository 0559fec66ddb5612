"use client";

import { Button, Container, Group, Stack, Text, Title } from "@mantine/core";

/** Shown instead of a page that threw an error. `digest` identifies the error in the server's log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Container size="xs" component="main" py={96}>
      <Stack gap="md">
        <Title order={1}>This page failed to load</Title>
        <Text>
          Something went wrong on our side. Nothing that you entered was sent twice. Try again; if it keeps failing,
          tell whoever runs this service.
        </Text>
        {error.digest && (
          <Text size="sm" c="dimmed">
            Tell them this reference, which finds the cause in the log: {error.digest}
          </Text>
        )}
        <Group>
          <Button onClick={reset}>Try again</Button>
        </Group>
      </Stack>
    </Container>
  );
}
