import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { WebhookDeliveries } from "@/components/settings/webhooks/webhook-deliveries";

interface Props {
  params: Promise<{ id: string }>;
}

export const generateMetadata = () => adminTitle("Webhook");

export default async function WebhookPage({ params }: Props) {
  const { id } = await params;
  await requireAdmin(`/settings/webhooks/${id}`);
  return <WebhookDeliveries key={id} id={id} />;
}
