import { forAdmins } from "@/app/(console)/settings/for-admins";
import { ClientList } from "@/components/settings/api/client-list";

const TITLE = "API clients";

export const metadata = { title: TITLE };

export default function ApiClientsPage() {
  return forAdmins({ path: "/settings/api", title: TITLE }, () => <ClientList />);
}
