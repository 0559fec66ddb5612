import { Button, Group, Stack } from "@mantine/core";

import { NewSecret } from "@/components/ui/copy/new-secret";

/** A new one-time link. The service sends no e-mail: the reader hands the link over. */
export function NewLink({ url, name, onDone }: { url: string; name: string; onDone: () => void }) {
  return (
    <Stack>
      <NewSecret secret={url} what="one-time link">
        no e-mail is sent, so hand it to <bdi>{name}</bdi> yourself. It works once, within 24 hours. Whoever uses it
        first sets the password.
      </NewSecret>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
