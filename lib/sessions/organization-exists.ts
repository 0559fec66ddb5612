import { pool } from "@/lib/db";

/** False only before the first-run page has done its work. */
export async function organizationExists(): Promise<boolean> {
  const { rows } = await pool().query<{ found: boolean }>("SELECT EXISTS (SELECT 1 FROM organizations) AS found");
  return rows[0]?.found ?? false;
}
