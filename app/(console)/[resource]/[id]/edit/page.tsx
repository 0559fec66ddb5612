import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { requireSession } from "@/app/session";
import { EditRecord } from "@/components/records/form/edit-record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { isResource } from "@/lib/records/schema/registry";

interface Props {
  params: Promise<{ resource: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params;
  return { title: isResource(resource) ? `Edit ${RECORD_NAMES[resource].singular.toLowerCase()}` : "Page not found" };
}

export default async function EditRecordPage({ params }: Props) {
  const { resource, id } = await params;
  if (!isResource(resource)) notFound();
  await requireSession(`/${resource}/${id}/edit`);
  return <EditRecord key={id} resource={resource} id={id} />;
}
