import { Button, Group, Stack } from "@mantine/core";
import { IconArrowBackUp, IconTable } from "@tabler/icons-react";

import { choicesFor, selectedObjects, withSuggestions } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { MappingTable } from "@/components/migration/configure/fields/mapping-table";
import { ObjectSelect } from "@/components/migration/configure/object-select";
import { PartHeading } from "@/components/migration/configure/part-heading";
import { usePlace } from "@/components/migration/configure/parts";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

/** Where the fields of one object go. */
export function FieldsPart() {
  const { report, draft } = useEditing();
  const { place, go } = usePlace();
  const objects = selectedObjects(report, draft).filter(({ item }) => item.fields.length > 0);
  const current = objects.find(({ object }) => object === place.object) ?? objects[0];
  return (
    <Stack gap="lg">
      <PartHeading title="Where the fields go">
        Samples are values of real records. A value that its target cannot hold is also kept as a custom field, so
        nothing is lost.
      </PartHeading>
      {current ? (
        <>
          <Group justify="space-between" align="flex-end" gap="sm">
            <ObjectSelect objects={objects} value={current.object} onChange={(object) => go({ object, show: "all" })} />
            <ResetButton object={current.object} />
          </Group>
          {/* Another object is another table: nothing that was typed for this one belongs there. */}
          <MappingTable key={current.object} object={current.object} report={current.item} />
        </>
      ) : (
        <EmptyList icon={IconTable} title="No object is selected" description="Select one under “Objects” first." />
      )}
    </Stack>
  );
}

/** Takes back every choice for the fields and values of an object. */
function ResetButton({ object }: { object: SourceObjectName }) {
  const { draft, isLocked, change } = useEditing();
  const { fields, values } = choicesFor(draft, object);
  const isSuggested = Object.keys(fields).length + Object.keys(values).length === 0;
  return (
    <Button
      variant="default"
      leftSection={<IconArrowBackUp size={16} stroke={1.6} aria-hidden />}
      disabled={isSuggested || isLocked}
      onClick={() => change((now) => withSuggestions(now, object))}
    >
      Reset to suggested
    </Button>
  );
}
