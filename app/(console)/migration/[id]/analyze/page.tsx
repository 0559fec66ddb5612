import { requireSession } from "@/app/session";
import { AnalyzeStep } from "@/components/migration/analyze/analyze-step";

export const metadata = { title: "Analyze" };

export default async function AnalyzePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/migration/${id}/analyze`);
  return <AnalyzeStep id={id} />;
}
