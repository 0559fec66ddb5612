import { requireSession } from "@/app/session";
import { Organization } from "@/components/settings/organization/organization";

export const metadata = { title: "Organization" };

export default async function OrganizationPage() {
  const { role } = await requireSession("/settings/organization");
  return <Organization isAdmin={role === "admin"} />;
}
