"use client";

import { Group, Text } from "@mantine/core";

import { fieldLabel } from "@/components/ui/text/format";
import type { ListFilter } from "@/components/records/list/list-filter";
import { ReferenceLink } from "@/components/records/reference-link";
import { TextLink } from "@/components/ui/text/text-link";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Says which record a list belongs to, with a link to the whole list. */
export function FilterNote({ resource, filter }: { resource: ResourceName; filter: ListFilter }) {
  return (
    <Group gap="md">
      <Text size="sm">
        {fieldLabel(filter.field)}: <ReferenceLink resource={filter.target} id={filter.id} />
      </Text>
      <TextLink href={`/${resource}`} size="sm">
        Show all
      </TextLink>
    </Group>
  );
}
