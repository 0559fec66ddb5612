import { forAdmins } from "@/app/(console)/settings/for-admins";
import { ClientDetail } from "@/components/settings/api/client-detail";
import { env } from "@/lib/env";

interface Props {
  params: Promise<{ id: string }>;
}

const TITLE = "API client";

export const metadata = { title: TITLE };

export default async function ApiClientPage({ params }: Props) {
  const { id } = await params;
  return forAdmins({ path: `/settings/api/${id}`, title: TITLE }, () => (
    <ClientDetail key={id} id={id} service={env.APP_URL} />
  ));
}
