import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { addressOf, queryOf, type SearchParams } from "@/app/page-address";
import { requireSession } from "@/app/session";
import { CreateRecord } from "@/components/records/form/create-record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { isResource } from "@/lib/records/schema/registry";

/** Parameters are values of fields that are filled in: `account_id`. `from=record`: a record's page led here. */
interface Props {
  params: Promise<{ resource: string }>;
  searchParams: SearchParams;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params;
  return { title: isResource(resource) ? `New ${RECORD_NAMES[resource].singular.toLowerCase()}` : "Page not found" };
}

export default async function NewRecordPage({ params, searchParams }: Props) {
  const { resource } = await params;
  if (!isResource(resource)) notFound();
  await requireSession(await addressOf(`/${resource}/new`, searchParams));
  return <CreateRecord resource={resource} given={Object.fromEntries(await queryOf(searchParams))} />;
}
