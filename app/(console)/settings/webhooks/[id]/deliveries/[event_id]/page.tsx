import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { DeliveryDetail } from "@/components/settings/webhooks/delivery/delivery-detail";

interface Props {
  params: Promise<{ id: string; event_id: string }>;
}

export const generateMetadata = () => adminTitle("Delivery");

export default async function DeliveryPage({ params }: Props) {
  const { id, event_id } = await params;
  await requireAdmin(`/settings/webhooks/${id}/deliveries/${event_id}`);
  return <DeliveryDetail key={event_id} webhookId={id} eventId={event_id} />;
}
