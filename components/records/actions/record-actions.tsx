import { Group } from "@mantine/core";

import { ChangeStatus } from "@/components/records/actions/change-status";
import { DeleteRecord } from "@/components/records/actions/delete-record";
import { EscalateCase } from "@/components/records/actions/escalate-case";
import type { AnyRecord } from "@/components/records/record";
import { LinkButton } from "@/components/ui/text/links";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What can be done with a record, at the head of its page. */
export function RecordActions({ resource, item }: { resource: ResourceName; item: AnyRecord }) {
  const isConverted = resource === "leads" && item.status === "converted";
  return (
    <Group gap="xs">
      <DeleteRecord resource={resource} item={item} />
      {resource === "cases" && <EscalateCase item={item} />}
      <ChangeStatus resource={resource} item={item} />
      {resource === "leads" && !isConverted && (
        <LinkButton href={`/leads/${item.id}/convert`} variant="default">
          Convert
        </LinkButton>
      )}
      {/* A converted lead can no longer change. */}
      {!isConverted && <LinkButton href={`/${resource}/${item.id}/edit`}>Edit</LinkButton>}
    </Group>
  );
}
