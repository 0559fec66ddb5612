import { expect, test } from "vitest";

import { PAGE, purgeFiles } from "@/lib/files/purge-files";
import { MIN_UUID } from "@/lib/ids";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { planOf } from "@/tests/support/query-plan";

const FILES = 2500;

/** An organization with one account and many files of it. The record of each thousandth file is gone. */
async function createFiles(): Promise<string> {
  const { organizationId } = await createContext();
  await pool().query(
    `WITH account AS (
       INSERT INTO accounts (organization_id, id, created_at, updated_at, name)
       VALUES ($1, uuidv7(), now(), now(), 'Alpine Tools') RETURNING id
     ) INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
       SELECT $1, uuidv7(), now(), 'accounts', CASE WHEN n % 1000 = 0 THEN uuidv7() ELSE account.id END, n,
         'a.txt', 1, ''
       FROM account, generate_series(1, ${FILES}) AS n`,
    [organizationId],
  );
  await pool().query("ANALYZE files");
  return organizationId;
}

test("files are purged wherever they are among those that stay, and no statement reads more than a page", async () => {
  const organizationId = await createFiles();
  // It has no name, so PostgreSQL plans it for its values.
  const page = { text: PAGE, values: [organizationId, MIN_UUID] };
  const nodes = await planOf(page, "force_custom_plan", { analyze: true });
  const read = nodes.filter((node) => node["Relation Name"] === "files").map((node) => node["Actual Rows"]);
  expect(read).toEqual([1000]);
  expect(await purgeFiles()).toBe(2);
  const { rowCount } = await pool().query("SELECT FROM files WHERE organization_id = $1", [organizationId]);
  expect(rowCount).toBe(FILES - 2);
  expect(await purgeFiles()).toBe(0);
});
