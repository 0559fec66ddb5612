import { Group, Paper, Skeleton, Text, Title } from "@mantine/core";

import { fieldOf } from "@/components/records/fields/field-of";
import { recordColumns } from "@/components/records/record-columns";
import { RECORD_NAMES } from "@/components/records/record-names";
import { MAX_RELATED, relationName, shownRelations, useRelated } from "@/components/records/relations";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { StackTable } from "@/components/ui/layout/stack-table";
import { formatNumber } from "@/components/ui/text/format";
import { LinkButton } from "@/components/ui/text/links";
import type { Relation } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What belongs to a record: of each kind the newest few, with a link to all and one to add another. */
export function RelatedRecords({ resource, id }: { resource: ResourceName; id: string }) {
  const all = useRelated(shownRelations(resource), id);
  const isEmpty = ({ query }: (typeof all)[number]) => query.isSuccess && query.data.data.length === 0;
  const empty = all.filter((related) => isEmpty(related) && isWritable(related.relation));
  const isLoading = all.some(({ query }) => query.isPending);
  return (
    <>
      {all
        .filter((related) => !isEmpty(related) && !related.query.isPending)
        .map((related) => (
          <Related key={keyOf(related.relation)} {...related} id={id} />
        ))}
      {isLoading && <Skeleton height={60} />}
      {!isLoading && empty.length > 0 && <NoneYet relations={empty.map(({ relation }) => relation)} id={id} />}
    </>
  );
}

function keyOf({ from, field }: Relation): string {
  return `${from.resource} ${field}`;
}

type RelatedProps = ReturnType<typeof useRelated>[number] & { id: string };

function Related({ relation, query, id }: RelatedProps) {
  const name = relationName(relation);
  const { data: rows = [], total = 0 } = query.data ?? {};
  return (
    <Paper withBorder p="lg" component="section" aria-label={name}>
      <Head relation={relation} id={id} total={total} />
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && (
        <StackTable
          caption={name}
          columns={recordColumns(relation.from.resource)}
          rows={rows}
          rowKey={(row) => row.id}
        />
      )}
    </Paper>
  );
}

/** One line of what does not belong to the record yet, each with a link to add it. */
function NoneYet({ relations, id }: { relations: readonly Relation[]; id: string }) {
  const names = relations.map((relation) => relationName(relation).toLowerCase()).join(", ");
  return (
    <Paper withBorder px="lg" py="md">
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          None yet: {names}.
        </Text>
        {relations.map((relation) => (
          <NewRelated key={keyOf(relation)} relation={relation} id={id} />
        ))}
      </Group>
    </Paper>
  );
}

function NewRelated({ relation: { from, field }, id }: { relation: Relation; id: string }) {
  const { resource } = from;
  return (
    <LinkButton href={`/${resource}/new?${field}=${id}&from=record`} variant="default" size="compact-sm">
      New {RECORD_NAMES[resource].singular.toLowerCase()}
    </LinkButton>
  );
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
        {isWritable(relation) && <NewRelated relation={relation} id={id} />}
      </Group>
    </Group>
  );
}
