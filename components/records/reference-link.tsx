import { titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { useRecord } from "@/components/records/use-record";
import { TextLink } from "@/components/ui/text/text-link";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A link to another record by its name. Until the name is loaded, by its kind. */
export function ReferenceLink({ resource, id }: { resource: ResourceName; id: string }) {
  const query = useRecord(resource, id);
  return (
    <TextLink href={`/${resource}/${id}`} inherit>
      <bdi>{(query.data && titleOf(resource, query.data)) || RECORD_NAMES[resource].singular}</bdi>
    </TextLink>
  );
}
