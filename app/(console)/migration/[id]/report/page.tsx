import { requireSession } from "@/app/session";
import { ReportStep } from "@/components/migration/report/report-step";

export const metadata = { title: "Report" };

export default async function ReportPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/migration/${id}/report`);
  return <ReportStep id={id} />;
}
