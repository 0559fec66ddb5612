import { Stack } from "@mantine/core";

import { selectableObjects } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Estimate } from "@/components/migration/configure/objects/estimate";
import { ObjectChoice } from "@/components/migration/configure/objects/object-choice";
import { PartHeading } from "@/components/migration/configure/part-heading";
import type { Migration } from "@/lib/migration/migration-schema";

const SUGGESTED =
  "Every field has a suggestion, so you can go on without changing anything. Values that fit no field are kept as " +
  "custom fields of the record.";
const HAS_RUN =
  "What you change counts from the next run on, which also brings the records that are here into line with it. A " +
  "delta follows it only for what was changed in Salesforce.";
const PHASES =
  "To migrate some objects now and others later, give them different phases: each can be run alone on the next page.";

/** Which objects are migrated, and what a run of them takes. */
export function ObjectsPart() {
  const { migration, report } = useEditing();
  return (
    <Stack gap="lg">
      <PartHeading title="What is migrated">{adviceFor(migration)}</PartHeading>
      <Estimate />
      <Stack gap="sm">
        {selectableObjects(report).map(({ object, item }) => (
          <ObjectChoice key={object} object={object} item={item} />
        ))}
      </Stack>
    </Stack>
  );
}

/** None once it is being undone: it does not run again then. */
function adviceFor({ status, run_number }: Migration): string | null {
  if (status === "undoing" || status === "undone") return null;
  return `${run_number > 0 ? HAS_RUN : SUGGESTED} ${PHASES}`;
}
