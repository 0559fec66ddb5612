import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { ClientList } from "@/components/settings/api/client-list";

export const generateMetadata = () => adminTitle("API clients");

export default async function ApiClientsPage() {
  await requireAdmin("/settings/api");
  return <ClientList />;
}
