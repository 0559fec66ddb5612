import type { AnchorProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { type SomeFields, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { referenceName } from "@/components/records/reference-name";
import { useRecord } from "@/components/records/use-record";
import { TextLink } from "@/components/ui/text/links";
import type { Migration } from "@/lib/migration/migration-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Within a sentence, color alone must not mark a link (WCAG 1.4.1). */
type LinkLook = Pick<AnchorProps, "underline">;

/** A link to another record by its name. Until the name is loaded, by its kind. */
export function ReferenceLink({ resource, id, ...look }: LinkLook & { resource: ResourceName; id: string }) {
  const query = useRecord(resource, id);
  return (
    <TextLink href={`/${resource}/${id}`} inherit {...look}>
      <bdi>{(query.data && titleOf(resource, query.data)) || RECORD_NAMES[resource].singular}</bdi>
    </TextLink>
  );
}

/** The name of a user or record once it is loaded; where there is none any more, words that say so. */
export function useReferenceName(target: ResourceName | "users", id: string): string | undefined {
  const { data, error } = useQuery({
    queryKey: queryKeys.record(target, id),
    queryFn: ({ signal }) => getJson<SomeFields & { id: string }>(`/${target}/${encodeURIComponent(id)}`, signal),
    enabled: id !== "",
  });
  if (data) return referenceName(target, data);
  const isGone = error instanceof Problem && error.code === "not_found";
  return isGone ? goneName(target) : undefined;
}

/** Records keep the id of an owner who was removed from the organization. */
function goneName(target: ResourceName | "users"): string {
  return target === "users" ? "Somebody who has left" : "A record that is gone";
}

/** The name of a user or record, without a link. */
export function ReferenceName({ target, id }: { target: ResourceName | "users"; id: string }) {
  return useReferenceName(target, id) ?? "…";
}

/** A link to a migration by the name of its org. */
export function MigrationLink({ id, ...look }: LinkLook & { id: string }) {
  const { data } = useQuery({
    queryKey: queryKeys.migrationName(id),
    queryFn: ({ signal }) => getJson<Pick<Migration, "org_name">>(`/migration/${id}`, signal),
  });
  return (
    <TextLink href={`/migration/${id}`} inherit {...look}>
      the migration from <bdi>{data?.org_name ?? "Salesforce"}</bdi>
    </TextLink>
  );
}
