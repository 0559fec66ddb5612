import { forAdmins } from "@/app/(console)/settings/for-admins";
import { DeliveryDetail } from "@/components/settings/webhooks/delivery/delivery-detail";

interface Props {
  params: Promise<{ id: string; event_id: string }>;
}

const TITLE = "Delivery";

export const metadata = { title: TITLE };

export default async function DeliveryPage({ params }: Props) {
  const { id, event_id } = await params;
  return forAdmins({ path: `/settings/webhooks/${id}/deliveries/${event_id}`, title: TITLE }, () => (
    <DeliveryDetail key={event_id} webhookId={id} eventId={event_id} />
  ));
}
