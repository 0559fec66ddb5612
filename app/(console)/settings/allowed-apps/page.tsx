import { requireSession } from "@/app/session";
import { AllowedApps } from "@/components/settings/allowed-apps/allowed-apps";

export const metadata = { title: "Allowed apps" };

export default async function AllowedAppsPage() {
  await requireSession("/settings/allowed-apps");
  return <AllowedApps />;
}
