import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { ClientDetail } from "@/components/settings/api/client-detail";
import { env } from "@/lib/env";

interface Props {
  params: Promise<{ id: string }>;
}

export const generateMetadata = () => adminTitle("API clients");

export default async function ApiClientPage({ params }: Props) {
  const { id } = await params;
  await requireAdmin(`/settings/api/${id}`);
  return <ClientDetail key={id} id={id} service={env.APP_URL} />;
}
