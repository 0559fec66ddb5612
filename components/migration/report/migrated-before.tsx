import { Alert, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { Page } from "@/components/api/use-list";
import { LinkButton } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";

/** Says that an earlier migration of this org has run, so that nobody takes the report's numbers for new records. */
export function MigratedBefore({ migration }: { migration: Migration }) {
  const { data: earlier } = useQuery({
    queryKey: queryKeys.migrationsOf(migration.ext_instance_url),
    queryFn: ({ signal }) => getJson<Page<Migration>>("/migration?limit=200", signal),
    select: ({ data }) => data.find((other) => isEarlier(other, migration)),
  });
  if (!earlier?.started_at) return null;
  return (
    <Alert color="sky" title="This org was migrated before" icon={<IconHistory aria-hidden />}>
      <Text size="sm">
        Another migration of it last ran on <Moment iso={earlier.started_at} />. The report counts all that is in
        Salesforce, also what is here already. A run recognizes those records by their Salesforce ids: it updates what
        has changed and imports nothing twice.
      </Text>
      <LinkButton href={`/migration/${earlier.migration_id}`} size="xs" variant="default" mt="md">
        Show that migration
      </LinkButton>
    </Alert>
  );
}

/** Whether it is another one of the same org, whose records are here. */
function isEarlier(other: Migration, { migration_id, ext_instance_url }: Migration): boolean {
  return (
    other.migration_id !== migration_id &&
    other.ext_instance_url === ext_instance_url &&
    other.run_number > 0 &&
    other.status !== "undone"
  );
}
