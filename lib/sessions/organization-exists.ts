import { pool } from "@/lib/db";
import { acrossOrganizations } from "@/lib/organization-scope";

const FIND = "SELECT EXISTS (SELECT 1 FROM organizations) AS found";

/** False only before the first-run page has done its work. */
export async function organizationExists(): Promise<boolean> {
  const { rows } = await acrossOrganizations(() => pool().query<{ found: boolean }>(FIND));
  return rows[0]?.found ?? false;
}
