import { forAdmins } from "@/app/(console)/settings/for-admins";
import { NewWebhook } from "@/components/settings/webhooks/new/new-webhook";

const TITLE = "Create a webhook";

export const metadata = { title: TITLE };

export default function NewWebhookPage() {
  return forAdmins({ path: "/settings/webhooks/new", title: TITLE }, () => <NewWebhook />);
}
