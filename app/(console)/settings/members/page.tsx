import { forAdmins } from "@/app/(console)/settings/for-admins";
import { MemberList } from "@/components/settings/members/member-list";

const TITLE = "Members";

export const metadata = { title: TITLE };

export default function MembersPage() {
  return forAdmins({ path: "/settings/members", title: TITLE }, ({ userId }) => <MemberList selfId={userId} />);
}
