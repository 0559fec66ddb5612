import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconMoodSad } from "@tabler/icons-react";

import { CopyButton } from "@/components/ui/copy/copy-button";
import { LinkButton } from "@/components/ui/text/links";

interface PageFailureProps {
  /** Identifies the error in the server's log. Without one the page failed in the browser. */
  reference: string | undefined;
  retry: () => void;
}

/** Stands in place of a page that failed: what happened, what became of the reader's work, and what to do. */
export function PageFailure({ reference, retry }: PageFailureProps) {
  return (
    <Stack gap="md" role="alert">
      <IconMoodSad size={40} stroke={1.4} aria-hidden />
      <Title order={1}>This page failed to load</Title>
      <Text>
        What you have saved is safe. Try again; if it keeps failing, tell whoever runs this service
        {reference ? " this reference, which finds the cause and the request in the log." : " what you were doing."}
      </Text>
      {reference && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            Reference {reference}
          </Text>
          <CopyButton text={reference} what="reference" compact />
        </Group>
      )}
      <Group>
        <Button onClick={retry}>Try again</Button>
        <LinkButton href="/" variant="default">
          Go to the start page
        </LinkButton>
      </Group>
    </Stack>
  );
}
