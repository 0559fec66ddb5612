import { describe, expect, test } from "vitest";

import { pool as service } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { describeIsolation } from "@/tests/http/matrix/support/suites-of-both-walls";
import { insertRecord } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";

// In this suite's database nothing but the conditions of the statements keeps organizations apart.
const { rows: tables } = await owner().query<{ name: string }>(
  `SELECT oid::regclass::text AS name FROM pg_class
   WHERE relrowsecurity AND relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
);
await owner().query(tables.map(({ name }) => `ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`).join(";"));

describeIsolation();
// With ids that only the other organization has: a forgotten condition finds its record in place of none.
describe("actions", async () => void (await import("@/tests/http/matrix/actions.test")));
describe("webhooks", async () => void (await import("@/tests/http/matrix/webhooks.test")));
describe("migrations", async () => void (await import("@/tests/http/matrix/migration.test")));

test("a statement without its condition finds another organization's records, within a scope too", async () => {
  const [ours, theirs] = [newId(), newId()];
  for (const organizationId of [ours, theirs]) await insertRecord("accounts", organizationId);
  const text = "SELECT FROM accounts WHERE organization_id = ANY ($1)";
  const { rowCount } = await inOrganization(ours, () => service().query(text, [[ours, theirs]]));
  expect(rowCount).toBe(2);
  expect(tables.length).toBeGreaterThan(30);
});
