import type { Metadata } from "next";

import { requireSession } from "@/app/session";
import { ConvertLead } from "@/components/records/convert/convert-lead";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Convert lead" };

export default async function ConvertLeadPage({ params }: Props) {
  const { id } = await params;
  await requireSession(`/leads/${id}/convert`);
  return <ConvertLead key={id} id={id} />;
}
