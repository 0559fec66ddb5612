import { forAdmins } from "@/app/(console)/settings/for-admins";
import { addressOf, type SearchParams } from "@/app/page-address";
import { WebhookDeliveries } from "@/components/settings/webhooks/webhook-deliveries";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}

const TITLE = "Webhook";

export const metadata = { title: TITLE };

export default async function WebhookPage({ params, searchParams }: Props) {
  const { id } = await params;
  const path = await addressOf(`/settings/webhooks/${id}`, searchParams);
  return forAdmins({ path, title: TITLE }, () => <WebhookDeliveries key={id} id={id} />);
}
