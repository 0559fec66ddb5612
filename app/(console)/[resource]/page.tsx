import { Group } from "@mantine/core";
import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { requireSession } from "@/app/session";
import { Page } from "@/components/ui/layout/page";
import { ListOrBoard } from "@/components/records/board/list-or-board";
import { FilterNote } from "@/components/records/list/filter-note";
import { readFilter } from "@/components/records/list/list-filter";
import { RecordList } from "@/components/records/list/record-list";
import { LinkButton } from "@/components/ui/text/link-button";
import { RECORD_NAMES } from "@/components/records/record-names";
import { isResource } from "@/lib/records/schema/registry";

interface Props {
  params: Promise<{ resource: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params;
  return isResource(resource) ? { title: RECORD_NAMES[resource].plural } : { title: "Page not found" };
}

export default async function RecordListPage({ params, searchParams }: Props) {
  const { resource } = await params;
  if (!isResource(resource)) notFound();
  const filter = readFilter(resource, await searchParams);
  const query = filter ? new URLSearchParams([[filter.field, filter.id]]).toString() : "";
  await requireSession(`/${resource}${query && `?${query}`}`);
  return (
    <Page
      title={RECORD_NAMES[resource].plural}
      actions={
        <Group gap="xs">
          {resource === "opportunities" && <ListOrBoard shown="list" />}
          <LinkButton href={`/${resource}/new${query && `?${query}`}`}>
            New {RECORD_NAMES[resource].singular.toLowerCase()}
          </LinkButton>
        </Group>
      }
    >
      {filter && <FilterNote resource={resource} filter={filter} />}
      <RecordList resource={resource} filter={query} />
    </Page>
  );
}
