import { addressOf, type SearchParams } from "@/app/page-address";
import { Prefetched } from "@/app/prefetched";
import { requireSession } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { ConfigureStep } from "@/components/migration/configure/configure-step";
import { env } from "@/lib/env";
import { getConfiguration } from "@/lib/migration/configuration/configure-migration";
import { getReport } from "@/lib/migration/read-migrations";

export const metadata = { title: "Configure" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}

export default async function ConfigurePage({ params, searchParams }: Props) {
  const { id } = await params;
  const context = await requireSession(await addressOf(`/migration/${id}/configure`, searchParams));
  const input = { migration_id: id };
  const queries = [
    { key: queryKeys.report(id), operation: getReport, input },
    { key: queryKeys.configuration(id), operation: getConfiguration, input },
  ];
  return (
    <Prefetched context={context} queries={queries}>
      <ConfigureStep id={id} isAdmin={context.role === "admin"} keepsFiles={env.FILES_STORAGE !== "none"} />
    </Prefetched>
  );
}
