import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { ClientList } from "@/components/settings/api/client-list";

export default async function ApiClientsPage() {
  await requireAdmin("/settings/api");
  return <ClientList />;
}
