import { Group, Paper, Title } from "@mantine/core";

import { RECORD_NAMES } from "@/components/records/record-names";
import { LinkButton } from "@/components/ui/text/link-button";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

interface Relation {
  resource: ResourceName;
  field: string;
}

/** Every field by which a list can be filtered for what belongs to a record of `target`. */
function relationsTo(target: ResourceName): Relation[] {
  return Object.values(ENTITIES).flatMap((entity) =>
    Object.entries<Field>(entity.fields)
      .filter(([, field]) => field.references === target && field.filterable)
      .map(([field]) => ({ resource: entity.resource, field })),
  );
}

/** Relations between records of the same kind, for which the name of the kind would be ambiguous. */
const NAMES: Record<string, string> = {
  parent_account_id: "Accounts below this one",
  parent_case_id: "Cases below this one",
  reports_to_id: "Contacts who report to this one",
};

/** Links to the lists of what belongs to a record. */
export function RelatedLinks({ resource, id }: { resource: ResourceName; id: string }) {
  const relations = relationsTo(resource);
  if (relations.length === 0) return null;
  return (
    <Paper withBorder p="lg">
      <Title order={2} mb="md">
        Related records
      </Title>
      <Group gap="xs">
        {relations.map((relation) => (
          <LinkButton
            key={`${relation.resource} ${relation.field}`}
            href={`/${relation.resource}?${relation.field}=${id}`}
            variant="default"
            size="sm"
          >
            {NAMES[relation.field] ?? RECORD_NAMES[relation.resource].plural}
          </LinkButton>
        ))}
      </Group>
    </Paper>
  );
}
