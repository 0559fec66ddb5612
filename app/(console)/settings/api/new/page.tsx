import { forAdmins } from "@/app/(console)/settings/for-admins";
import { NewClient } from "@/components/settings/api/new-client";
import { env } from "@/lib/env";

const TITLE = "Create an API client";

export const metadata = { title: TITLE };

export default function NewApiClientPage() {
  return forAdmins({ path: "/settings/api/new", title: TITLE }, () => <NewClient service={env.APP_URL} />);
}
