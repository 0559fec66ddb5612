import { requireSession } from "@/app/session";
import { SettingsOverview } from "@/components/settings/overview";

export const metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { role } = await requireSession("/settings");
  return <SettingsOverview isAdmin={role === "admin"} />;
}
