import { forAdmins } from "@/app/(console)/settings/for-admins";
import { WebhookDeliveries } from "@/components/settings/webhooks/webhook-deliveries";

interface Props {
  params: Promise<{ id: string }>;
}

const TITLE = "Webhook";

export const metadata = { title: TITLE };

export default async function WebhookPage({ params }: Props) {
  const { id } = await params;
  return forAdmins({ path: `/settings/webhooks/${id}`, title: TITLE }, () => <WebhookDeliveries key={id} id={id} />);
}
