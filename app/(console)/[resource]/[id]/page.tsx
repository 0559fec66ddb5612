import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { recordQueries } from "@/app/(console)/[resource]/[id]/record-queries";
import { Prefetched } from "@/app/prefetched";
import { requireSession } from "@/app/session";
import { RecordDetail } from "@/components/records/record-detail";
import { RECORD_NAMES } from "@/components/records/record-names";
import { isResource } from "@/lib/records/schema/registry";

interface Props {
  params: Promise<{ resource: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params;
  return isResource(resource) ? { title: RECORD_NAMES[resource].singular } : { title: "Page not found" };
}

export default async function RecordPage({ params }: Props) {
  const { resource, id } = await params;
  if (!isResource(resource)) notFound();
  const context = await requireSession(`/${resource}/${id}`);
  return (
    <Prefetched context={context} queries={recordQueries(resource, id)}>
      <RecordDetail key={id} resource={resource} id={id} />
    </Prefetched>
  );
}
