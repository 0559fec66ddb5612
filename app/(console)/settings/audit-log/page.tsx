import { forAdmins } from "@/app/(console)/settings/for-admins";
import { addressOf, type SearchParams } from "@/app/page-address";
import { AuditLog } from "@/components/settings/audit-log/audit-log";

interface Props {
  searchParams: SearchParams;
}

const TITLE = "Audit log";

export const metadata = { title: TITLE };

export default async function AuditLogPage({ searchParams }: Props) {
  const path = await addressOf("/settings/audit-log", searchParams);
  return forAdmins({ path, title: TITLE }, () => <AuditLog />);
}
