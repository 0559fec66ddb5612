import { requireSession } from "@/app/session";
import { ConfigureStep } from "@/components/migration/configure/configure-step";

export const metadata = { title: "Configure" };

export default async function ConfigurePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/migration/${id}/configure`);
  return <ConfigureStep id={id} />;
}
