import { adminTitle } from "@/app/(console)/settings/admin-title";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { AuditLog } from "@/components/settings/audit-log/audit-log";

const PATH = "/settings/audit-log";

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const generateMetadata = () => adminTitle("Audit log");

export default async function AuditLogPage({ searchParams }: Props) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const query = new URLSearchParams(given).toString();
  await requireAdmin(query ? `${PATH}?${query}` : PATH);
  return <AuditLog />;
}
