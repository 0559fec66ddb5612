import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { WebhookList } from "@/components/settings/webhooks/list/webhook-list";

export const generateMetadata = () => adminTitle("Webhooks");

export default async function WebhooksPage() {
  await requireAdmin("/settings/webhooks");
  return <WebhookList />;
}
