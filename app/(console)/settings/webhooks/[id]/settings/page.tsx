import { forAdmins } from "@/app/(console)/settings/for-admins";
import { WebhookSettings } from "@/components/settings/webhooks/webhook-settings";

interface Props {
  params: Promise<{ id: string }>;
}

const TITLE = "Settings of a webhook";

export const metadata = { title: TITLE };

export default async function WebhookSettingsPage({ params }: Props) {
  const { id } = await params;
  return forAdmins({ path: `/settings/webhooks/${id}/settings`, title: TITLE }, () => (
    <WebhookSettings key={id} id={id} />
  ));
}
