import { Prefetched } from "@/app/prefetched";
import { requireSession } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { ReportStep } from "@/components/migration/report/report-step";
import { getReport } from "@/lib/migration/read-migrations";

export const metadata = { title: "Report" };

export default async function ReportPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const context = await requireSession(`/migration/${id}/report`);
  const query = { key: queryKeys.report(id), operation: getReport, input: { migration_id: id } };
  return (
    <Prefetched context={context} queries={[query]}>
      <ReportStep id={id} />
    </Prefetched>
  );
}
