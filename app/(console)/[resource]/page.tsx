import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { firstPage } from "@/app/(console)/[resource]/first-page";
import { requireSession } from "@/app/session";
import { readView, writeView } from "@/components/records/list/view/list-view";
import { RecordList } from "@/components/records/list/record-list";
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
  const given = Object.entries(await searchParams).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const view = readView(resource, new URLSearchParams(given));
  const query = writeView(resource, view);
  const context = await requireSession(`/${resource}${query && `?${query}`}`);
  return <RecordList key={resource} resource={resource} first={await firstPage(context, resource, view)} />;
}
