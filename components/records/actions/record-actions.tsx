import { Group } from "@mantine/core";

import { DeleteRecord } from "@/components/records/actions/delete-record";
import type { AnyRecord } from "@/components/records/record";
import { LinkButton } from "@/components/ui/text/link-button";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What can be done with a record, at the head of its page. */
export function RecordActions({ resource, item }: { resource: ResourceName; item: AnyRecord }) {
  return (
    <Group gap="xs">
      <DeleteRecord resource={resource} item={item} />
      <LinkButton href={`/${resource}/${item.id}/edit`}>Edit</LinkButton>
    </Group>
  );
}
