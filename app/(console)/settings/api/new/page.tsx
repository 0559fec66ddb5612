import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { NewClient } from "@/components/settings/api/new-client";
import { env } from "@/lib/env";

export const generateMetadata = () => adminTitle("API clients");

export default async function NewApiClientPage() {
  await requireAdmin("/settings/api/new");
  return <NewClient service={env.APP_URL} />;
}
