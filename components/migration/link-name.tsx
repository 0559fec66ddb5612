import { Text } from "@mantine/core";

import { RECORD_NAMES } from "@/components/records/record-names";
import { objectName } from "@/lib/migration/objects/source-object-names";
import type { ListedRelationship } from "@/lib/migration/relationships/relationships-schema";
import { isResource } from "@/lib/records/schema/registry";

type NamedLink = Pick<ListedRelationship, "object" | "field" | "label" | "target">;

/** A link between records in our words, and below them in those of Salesforce: “Lead of tasks”. */
export function LinkName({ link: { object, field, label, target } }: { link: NamedLink }) {
  const other = isResource(target) ? RECORD_NAMES[target].singular : target;
  return (
    <>
      {other} of {objectName(object).toLowerCase()}
      <Text component="div" size="xs" c="dimmed" fw={400}>
        {label}{" "}
        <Text component="span" inherit ff="monospace">
          {field}
        </Text>
      </Text>
    </>
  );
}
