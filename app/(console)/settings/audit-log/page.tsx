import type { Metadata } from "next";

import { currentSession } from "@/app/session";
import { requireAdmin } from "@/app/(console)/settings/require-admin";
import { AuditLog } from "@/components/settings/audit-log/audit-log";

const PATH = "/settings/audit-log";

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** A member does not learn even the title. */
export async function generateMetadata(): Promise<Metadata> {
  const session = await currentSession();
  return session?.role === "admin" ? { title: "Audit log" } : {};
}

export default async function AuditLogPage({ searchParams }: Props) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  await requireAdmin(query ? `${PATH}?${query}` : PATH);
  return <AuditLog />;
}
