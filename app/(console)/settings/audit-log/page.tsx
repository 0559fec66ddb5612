import { forAdmins } from "@/app/(console)/settings/for-admins";
import { AuditLog } from "@/components/settings/audit-log/audit-log";

const PATH = "/settings/audit-log";

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const TITLE = "Audit log";

export const metadata = { title: TITLE };

export default async function AuditLogPage({ searchParams }: Props) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const query = new URLSearchParams(given).toString();
  return forAdmins({ path: query ? `${PATH}?${query}` : PATH, title: TITLE }, () => <AuditLog />);
}
