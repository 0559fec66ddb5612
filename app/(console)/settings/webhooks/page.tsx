import { forAdmins } from "@/app/(console)/settings/for-admins";
import { WebhookList } from "@/components/settings/webhooks/list/webhook-list";

const TITLE = "Webhooks";

export const metadata = { title: TITLE };

export default function WebhooksPage() {
  return forAdmins({ path: "/settings/webhooks", title: TITLE }, () => <WebhookList />);
}
