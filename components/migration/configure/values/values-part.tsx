import { Checkbox, Stack, Text, Title } from "@mantine/core";
import { IconList } from "@tabler/icons-react";
import { useState } from "react";

import { choicesFor, selectedObjects } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { PartHeading } from "@/components/migration/configure/part-heading";
import { type Picklist, picklistOf } from "@/components/migration/configure/values/picklist";
import { PicklistValues } from "@/components/migration/configure/values/picklist-values";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";
import type { Report } from "@/lib/migration/report/report-schema";

/** What the values of picklists become, where the field here takes fixed values. */
export function ValuesPart() {
  const { report, draft } = useEditing();
  const [onlyOpen, setOnlyOpen] = useState(false);
  const all = picklistsIn(report, draft);
  const open = all.filter((list) => list.open > 0);
  const shown = onlyOpen ? open : all;
  return (
    <Stack gap="lg">
      <PartHeading title="What picklist values become">
        Unless you choose another one, a record whose value has no equivalent here gets the value that new records begin
        with, or none, and keeps the original as a custom field. Each list says which of the two.
      </PartHeading>
      {all.length > 0 && (
        <Checkbox
          label="Only picklists with values that have no equivalent"
          description={`${open.length} of ${all.length}`}
          checked={onlyOpen}
          onChange={(event) => setOnlyOpen(event.currentTarget.checked)}
        />
      )}
      {[...Map.groupBy(shown, ({ object }) => object)].map(([object, lists]) => (
        <section key={object}>
          <Title order={3} mb="xs">
            {objectName(object)}
          </Title>
          <Stack gap="sm">
            {lists.map((list) => (
              <PicklistValues key={list.field.source} list={list} />
            ))}
          </Stack>
        </section>
      ))}
      {all.length === 0 && (
        <EmptyList
          icon={IconList}
          title="No values to choose"
          description="None of the selected objects has a picklist that goes to a field with fixed values."
        />
      )}
      {all.length > 0 && shown.length === 0 && <Text c="dimmed">Every value that records have has an equivalent.</Text>}
    </Stack>
  );
}

function picklistsIn(report: Report, draft: Configuration): Picklist[] {
  return selectedObjects(report, draft).flatMap(({ object, item }) =>
    item.fields.flatMap((field) => picklistOf(object, field, choicesFor(draft, object)) ?? []),
  );
}
