import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { requireSession } from "@/app/session";
import { CreateRecord } from "@/components/records/form/create-record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { isResource } from "@/lib/records/schema/registry";

/** Parameters are values of fields that are filled in: `account_id`. */
interface Props {
  params: Promise<{ resource: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params;
  return { title: isResource(resource) ? `New ${RECORD_NAMES[resource].singular.toLowerCase()}` : "Page not found" };
}

export default async function NewRecordPage({ params, searchParams }: Props) {
  const { resource } = await params;
  if (!isResource(resource)) notFound();
  const asked = Object.entries(await searchParams).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const query = new URLSearchParams(asked).toString();
  await requireSession(`/${resource}/new${query && `?${query}`}`);
  return <CreateRecord resource={resource} given={Object.fromEntries(asked)} />;
}
