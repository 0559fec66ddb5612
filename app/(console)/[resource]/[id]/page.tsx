import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { readRecord, recordQueries } from "@/app/(console)/[resource]/[id]/record-queries";
import { Prefetched } from "@/app/prefetched";
import { currentSession, requireSession } from "@/app/session";
import { titleOf } from "@/components/records/record";
import { RecordDetail } from "@/components/records/record-detail";
import { RECORD_NAMES } from "@/components/records/record-names";
import { PRODUCT_NAME } from "@/lib/brand";
import { isResource } from "@/lib/records/schema/registry";
import { sessionContext } from "@/lib/sessions/browser-sessions/session-store";

interface Props {
  params: Promise<{ resource: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource, id } = await params;
  if (!isResource(resource)) return { title: "Page not found" };
  const session = await currentSession();
  const item = session && (await readRecord(sessionContext(session), resource, id));
  const { singular } = RECORD_NAMES[resource];
  const name = item ? titleOf(resource, item) : "";
  // A template would take the “$&” of a name for what it stands for.
  return { title: name ? { absolute: `${name} · ${singular} · ${PRODUCT_NAME}` } : singular };
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
