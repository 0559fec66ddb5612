import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import { acrossOrganizations, inOrganization } from "@/lib/organization-scope";

const ALL = 'SELECT id AS "organizationId" FROM organizations ORDER BY id';

/**
 * Does `work` within each organization, one after another: for housekeeping that reads or changes what nobody may across organizations. Throws as
 * {@link inTheirOrganizations} does.
 */
export async function inEachOrganization(work: (organizationId: string) => Promise<void>): Promise<void> {
  const { rows } = await acrossOrganizations(() => pool().query<{ organizationId: string }>(ALL));
  await inTheirOrganizations(rows, ({ organizationId }) => work(organizationId));
}

/** Does `work` for each item within its organization, one after another. A failure is logged, keeps none of those behind it, and is thrown at the end. */
export async function inTheirOrganizations<Item extends { organizationId: string }>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    await inOrganization(item.organizationId, () => work(item)).catch((error: unknown) => {
      log.error({ organization_id: item.organizationId, err: error }, "housekeeping failed in an organization, and goes on in the next");
      failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}
