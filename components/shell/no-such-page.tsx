import { Group, Stack, Text, Title } from "@mantine/core";
import { IconMapQuestion } from "@tabler/icons-react";

import { LinkButton } from "@/components/ui/text/links";

/** Shown in place of a page that does not exist, or that the reader may not see. */
export function NoSuchPage() {
  return (
    <Stack gap="md">
      <IconMapQuestion size={40} stroke={1.4} aria-hidden />
      <Title order={1}>There is no such page</Title>
      <Text>The address may be mistyped, or the record was deleted or belongs to another organization.</Text>
      <Group>
        <LinkButton href="/">Go to the start page</LinkButton>
      </Group>
    </Stack>
  );
}
