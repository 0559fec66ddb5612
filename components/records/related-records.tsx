import { Group, Paper, Skeleton, Text, Title } from "@mantine/core";

import { fieldOf } from "@/components/records/fields/field-of";
import { recordColumns } from "@/components/records/record-columns";
import type { AnyRecord } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { MAX_RELATED, relationName, shownRelations, useRelated } from "@/components/records/relations";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { StackTable } from "@/components/ui/layout/stack-table";
import { formatNumber } from "@/components/ui/text/format";
import { LinkButton } from "@/components/ui/text/link-button";
import type { Relation } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What belongs to a record: of each kind the newest few, with a link to all and one to add another. */
export function RelatedRecords({ resource, id }: { resource: ResourceName; id: string }) {
  return shownRelations(resource).map((relation) => (
    <Related key={`${relation.from.resource} ${relation.field}`} relation={relation} id={id} />
  ));
}

function Related({ relation, id }: { relation: Relation; id: string }) {
  const query = useRelated(relation, id);
  const name = relationName(relation);
  const { data: rows = [], total = 0 } = query.data ?? {};
  if (query.isSuccess && rows.length === 0 && !isWritable(relation)) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-label={name}>
      <Head relation={relation} id={id} total={total} />
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={20} mt="sm" />}
      {query.isSuccess && <Rows name={name} resource={relation.from.resource} rows={rows} />}
    </Paper>
  );
}

function Rows({ name, resource, rows }: { name: string; resource: ResourceName; rows: readonly AnyRecord[] }) {
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None yet.
      </Text>
    );
  return <StackTable caption={name} columns={recordColumns(resource)} rows={rows} rowKey={(row) => row.id} />;
}

/** Only a conversion links a lead to what it became. */
function isWritable({ from, field }: Relation): boolean {
  return fieldOf(from.resource, field)?.readOnly === false;
}

function Head({ relation, id, total }: { relation: Relation; id: string; total: number }) {
  const { from, field } = relation;
  const { resource } = from;
  return (
    <Group justify="space-between" gap="sm" mb="xs">
      <Title order={2} size="h3">
        {relationName(relation)}
        {total > 0 && (
          <Text component="span" c="dimmed" size="sm" fw={400} ml="xs">
            {formatNumber(total)}
          </Text>
        )}
      </Title>
      <Group gap="xs">
        {total > MAX_RELATED && (
          <LinkButton href={`/${resource}?${field}=${id}`} variant="subtle" size="compact-sm">
            Show all {formatNumber(total)}
          </LinkButton>
        )}
        {isWritable(relation) && (
          <LinkButton href={`/${resource}/new?${field}=${id}`} variant="default" size="compact-sm">
            New {RECORD_NAMES[resource].singular.toLowerCase()}
          </LinkButton>
        )}
      </Group>
    </Group>
  );
}
