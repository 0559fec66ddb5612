import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { firstPage } from "@/app/(console)/[resource]/first-page";
import { addressOf, queryOf, type SearchParams } from "@/app/page-address";
import { requirePerson } from "@/app/session";
import { readView } from "@/components/records/list/view/list-view";
import { RecordList } from "@/components/records/list/record-list";
import { RECORD_NAMES } from "@/components/records/record-names";
import { isResource } from "@/lib/records/schema/registry";
import { sessionContext } from "@/lib/sessions/browser-sessions/session-store";

interface Props {
  params: Promise<{ resource: string }>;
  searchParams: SearchParams;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params;
  return isResource(resource) ? { title: RECORD_NAMES[resource].plural } : { title: "Page not found" };
}

export default async function RecordListPage({ params, searchParams }: Props) {
  const { resource } = await params;
  if (!isResource(resource)) notFound();
  const session = await requirePerson(await addressOf(`/${resource}`, searchParams));
  const view = readView(resource, await queryOf(searchParams), session.organization_time_zone);
  const first = await firstPage(sessionContext(session), resource, view);
  return <RecordList key={resource} resource={resource} first={first} />;
}
