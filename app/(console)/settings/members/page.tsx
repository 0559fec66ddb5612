import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { MemberList } from "@/components/settings/members/member-list";

export const generateMetadata = () => adminTitle("Members");

export default async function MembersPage() {
  const { userId } = await requireAdmin("/settings/members");
  return <MemberList selfId={userId} />;
}
