import { Alert, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { Page } from "@/components/api/use-list";
import { LinkButton } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";

/** Says that another migration of this org has run, so that nobody takes the report's numbers for new records. */
export function MigratedBefore({ migration }: { migration: Migration }) {
  const { migration_id: id, ext_instance_url: url } = migration;
  const { data: other } = useQuery({
    queryKey: queryKeys.migrationsOf(url),
    queryFn: ({ signal }) => getJson<Page<Migration>>(`/migration?ext_instance_url=${encodeURIComponent(url)}`, signal),
    select: ({ data }) => latestOf(data.filter(({ migration_id: each }) => each !== id)),
  });
  if (!other?.started_at) return null;
  return (
    <Alert color="sky" title="This org was migrated before" icon={<IconHistory aria-hidden />}>
      <Text size="sm">
        Another migration of it last ran on <Moment iso={other.started_at} />. The report counts all that is in
        Salesforce, also what is here already. A run recognizes those records by their Salesforce ids: it updates what
        has changed and imports nothing twice.
      </Text>
      <LinkButton href={`/migration/${other.migration_id}`} size="xs" variant="default" mt="md">
        Show that migration
      </LinkButton>
    </Alert>
  );
}

/** The one that ran last of those whose records are here. */
function latestOf(migrations: readonly Migration[]): Migration | undefined {
  const [latest] = migrations.filter(hasRecordsHere).toSorted((a, b) => compareTexts(b.started_at, a.started_at));
  return latest;
}

/** Unless an undo has removed what it imported or found. */
function hasRecordsHere({ status, outdated_by_undo: isOutdated, objects }: Migration): boolean {
  if (status === "undone" || isOutdated) return false;
  return objects.some(({ created, updated, unchanged }) => created + updated + unchanged > 0);
}

function compareTexts(one: string | null, other: string | null): number {
  return (one ?? "").localeCompare(other ?? "");
}
