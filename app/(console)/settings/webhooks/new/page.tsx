import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { NewWebhook } from "@/components/settings/webhooks/new/new-webhook";

export const generateMetadata = () => adminTitle("Create a webhook");

export default async function NewWebhookPage() {
  await requireAdmin("/settings/webhooks/new");
  return <NewWebhook />;
}
