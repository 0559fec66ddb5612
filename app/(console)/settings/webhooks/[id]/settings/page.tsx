import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { WebhookSettings } from "@/components/settings/webhooks/webhook-settings";

interface Props {
  params: Promise<{ id: string }>;
}

export const generateMetadata = () => adminTitle("Settings of a webhook");

export default async function WebhookSettingsPage({ params }: Props) {
  const { id } = await params;
  await requireAdmin(`/settings/webhooks/${id}/settings`);
  return <WebhookSettings key={id} id={id} />;
}
