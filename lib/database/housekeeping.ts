import { pool } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { log } from "@/lib/log";

const ALL = 'SELECT id AS "organizationId" FROM organizations ORDER BY id';

/**
 * Runs `work` within each organization, one after another, for housekeeping that must not work across organizations.
 * Throws as {@link forEachInItsOrganization} does.
 */
export async function forEachOrganization(work: (organizationId: string) => Promise<void>): Promise<void> {
  const { rows } = await acrossOrganizations(() => pool().query<{ organizationId: string }>(ALL));
  await forEachInItsOrganization(rows, ({ organizationId }) => work(organizationId));
}

/**
 * Runs `work` for each item within its organization, one after another. A failure is logged, does not stop the others,
 * and is thrown at the end.
 */
export async function forEachInItsOrganization<Item extends { organizationId: string }>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    await inOrganization(item.organizationId, () => work(item)).catch((error: unknown) => {
      log.error(
        { organization_id: item.organizationId, err: error },
        "housekeeping failed in an organization and continues with the next",
      );
      failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}

/** How many rows a statement of {@link deleteInBatches} deletes, so that none holds locks for long. */
export const DELETE_BATCH_SIZE = 5000;

/**
 * Repeats a statement that deletes up to {@link DELETE_BATCH_SIZE} rows until it deletes fewer, at most `maxBatches`
 * times. Returns how many rows were deleted.
 */
export async function deleteInBatches(
  text: string,
  values: readonly unknown[] = [],
  maxBatches = Infinity,
): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const deleted = (await pool().query(text, [...values])).rowCount ?? 0;
    total += deleted;
    if (deleted < DELETE_BATCH_SIZE) break;
  }
  return total;
}
