import { Text } from "@mantine/core";

import { RECORD_NAMES } from "@/components/records/record-names";
import { TextLink } from "@/components/ui/text/links";

/** Links to the lists of what a member owns, from which it is given to somebody else. */
export function OwnedRecords({ ownerId }: { ownerId: string }) {
  return (
    <Text size="sm">
      To hand over what they own, open a list, select its records and edit the field “Owner”:{" "}
      {Object.entries(RECORD_NAMES).map(([resource, { plural }], index) => (
        <span key={resource}>
          {index > 0 && ", "}
          <TextLink href={`/${resource}?owner_id=${ownerId}`} underline="always" inherit>
            {plural}
          </TextLink>
        </span>
      ))}
      .
    </Text>
  );
}
