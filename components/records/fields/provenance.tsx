import { Anchor, Paper, Text, Title } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { RECORD_NAMES } from "@/components/records/record-names";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { TextLink } from "@/components/ui/text/links";
import type { ResourceName } from "@/lib/records/schema/resources";

interface InSource {
  ext_id: string;
  source_url: string | null;
}

interface Origin extends Omit<InSource, "ext_id"> {
  ext_id: string | null;
  migration: { migration_id: string; org_name: string | null } | null;
  is_edited: boolean | null;
  merged: InSource[];
}

/** Where a record comes from: its record in Salesforce, and the migration that imported it. Empty for any other. */
export function Provenance({ resource, id }: { resource: ResourceName; id: string }) {
  const query = useQuery({
    queryKey: queryKeys.provenance(resource, id),
    queryFn: ({ signal }) => getJson<Origin>(`/${resource}/${id}/provenance`, signal),
  });
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data || !isFromSource(query.data)) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="provenance">
      <Title order={2} size="h3" id="provenance" mb="md">
        Where it comes from
      </Title>
      <OriginFacts origin={query.data} resource={resource} />
    </Paper>
  );
}

function OriginFacts({ origin, resource }: { origin: Origin; resource: ResourceName }) {
  const { ext_id: extId, source_url: url, migration, is_edited: isEdited, merged } = origin;
  return (
    <Facts>
      {extId !== null && (
        <Fact label="In Salesforce">
          <SourceLink url={url} name={url === null ? extId : `Open ${extId}`} />
        </Fact>
      )}
      {migration && (
        <Fact label="Migrated by">
          <TextLink href={`/migration/${migration.migration_id}`} inherit>
            The migration from <bdi>{migration.org_name ?? "Salesforce"}</bdi>
          </TextLink>
          {" · "}
          <TextLink href={`/${resource}?migration_id=${migration.migration_id}`} inherit>
            its {RECORD_NAMES[resource].plural.toLowerCase()}
          </TextLink>
        </Fact>
      )}
      {isEdited !== null && <Fact label="Since the migration">{isEdited ? "Changed here" : "Not changed here"}</Fact>}
      {merged.length > 0 && (
        <Fact label="Duplicates merged into it">
          {merged.map((duplicate) => (
            <Text key={duplicate.ext_id} size="sm">
              <SourceLink url={duplicate.source_url} name={duplicate.ext_id} />
            </Text>
          ))}
        </Fact>
      )}
    </Facts>
  );
}

function isFromSource({ migration, merged }: Origin): boolean {
  return migration !== null || merged.length > 0;
}

function SourceLink({ url, name }: { url: string | null; name: string }) {
  if (url === null) return name;
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit>
      {name} <IconExternalLink size={14} aria-label="(in a new tab)" style={{ verticalAlign: "-0.125em" }} />
    </Anchor>
  );
}
