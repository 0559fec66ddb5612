import { Stack, Text, Title } from "@mantine/core";

import { TextLink } from "@/components/ui/text/text-link";

/** What stands in the place of a page that is not there, or not for whoever asks. */
export function NoSuchPage() {
  return (
    <Stack gap="md">
      <Title order={1}>There is no such page</Title>
      <Text>The address may be mistyped, or the record was deleted or belongs to another organization.</Text>
      <TextLink href="/">Go to the start page</TextLink>
    </Stack>
  );
}
