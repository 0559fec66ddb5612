import { redirect } from "next/navigation";

import { requirePerson } from "@/app/session";
import { settingsLinks } from "@/components/settings/settings-links";

/** Redirects to the first of the settings that the person may see. */
export default async function SettingsPage() {
  const { role } = await requirePerson("/settings");
  const [first] = settingsLinks(role === "admin");
  redirect(first?.href ?? "/");
}
