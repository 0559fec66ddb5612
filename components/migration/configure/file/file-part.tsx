import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { CheckChoices } from "@/components/migration/configure/file/check-choices";
import { ImportChoices } from "@/components/migration/configure/file/import-choices";
import { PartHeading } from "@/components/migration/configure/part-heading";

/** The configuration as a file, and whether it still fits the org. */
export function FilePart() {
  return (
    <Stack gap="lg">
      <PartHeading title="Configuration as a file">
        Keep the choices of a rehearsal in a sandbox, and use them again for production.
      </PartHeading>
      <ExportChoices />
      <ImportChoices />
      <CheckChoices />
    </Stack>
  );
}

function ExportChoices() {
  const { migration, isChanged } = useEditing();
  const id = migration.migration_id;
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={3}>Export</Title>
      <Text size="sm" c="dimmed" mb="sm">
        A JSON file with every saved choice, the org that they were made for, and the names of the members they name.
      </Text>
      <Group gap="sm">
        <Button
          component="a"
          href={`/api/v1/migration/${id}/configuration/export`}
          download="migration-configuration.json"
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
        >
          Export the configuration
        </Button>
        {isChanged && (
          <Text size="sm" c="dimmed">
            Changes that are not saved are not in the file.
          </Text>
        )}
      </Group>
    </Paper>
  );
}
