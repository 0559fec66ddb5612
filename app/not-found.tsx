import { Container, Stack, Text, Title } from "@mantine/core";

import { TextLink } from "@/components/shell/text-link";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <Container size="xs" component="main" py={96}>
      <Stack gap="md">
        <Title order={1}>There is no such page</Title>
        <Text>The address may be mistyped, or the record was deleted or belongs to another organization.</Text>
        <TextLink href="/">Go to the start page</TextLink>
      </Stack>
    </Container>
  );
}
