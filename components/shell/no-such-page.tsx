import { Stack, Text, Title } from "@mantine/core";

import { TextLink } from "@/components/ui/text/text-link";

/** Shown in place of a page that does not exist, or that the reader may not see. */
export function NoSuchPage() {
  return (
    <Stack gap="md">
      <Title order={1}>There is no such page</Title>
      <Text>The address may be mistyped, or the record was deleted or belongs to another organization.</Text>
      <TextLink href="/">Go to the start page</TextLink>
    </Stack>
  );
}
