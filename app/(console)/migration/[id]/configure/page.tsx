import { Prefetched } from "@/app/prefetched";
import { requireSession } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { ConfigureStep } from "@/components/migration/configure/configure-step";
import { getConfiguration } from "@/lib/migration/configuration/configure-migration";
import { getReport } from "@/lib/migration/read-migrations";

export const metadata = { title: "Configure" };

export default async function ConfigurePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const context = await requireSession(`/migration/${id}/configure`);
  const input = { migration_id: id };
  const queries = [
    { key: queryKeys.report(id), operation: getReport, input },
    { key: queryKeys.configuration(id), operation: getConfiguration, input },
  ];
  return (
    <Prefetched context={context} queries={queries}>
      <ConfigureStep id={id} isAdmin={context.role === "admin"} />
    </Prefetched>
  );
}
