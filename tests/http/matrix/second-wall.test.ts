import { expect, test } from "vitest";

import { pool as service } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { describeIsolation } from "@/tests/http/matrix/support/suites-of-both-walls";
import { insertRecord } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";

// First: what is loaded after it sends no condition on the organization.
import { changed, withoutPredicate } from "@/tests/http/matrix/support/without-predicates";

// Here row-level security alone keeps organizations apart.
describeIsolation();

const LIST = "SELECT count(*)::int AS count FROM accounts WHERE organization_id = $1";

test("without its condition a statement finds another organization's records only outside a scope", async () => {
  const [ours, theirs] = [newId(), newId()];
  await insertRecord("accounts", ours);
  for (let count = 0; count < 3; count += 1) await insertRecord("accounts", theirs);
  const found = async (pool: typeof owner) =>
    (await pool().query<{ count: number }>(withoutPredicate(LIST), [ours])).rows[0]?.count;
  expect(await found(owner)).toBeGreaterThanOrEqual(4);
  expect(await inOrganization(ours, () => found(service))).toBe(1);
});

test("statements of every kind were sent without their condition", () => {
  expect(changed.size).toBeGreaterThan(100);
  const kinds = [
    /^\s*SELECT/i,
    /INSERT/i,
    /UPDATE/i,
    /DELETE/i,
    /"public"\./,
    /search_words/,
    /phone_words/,
    /count\(\*\)/,
    /FROM events/,
  ];
  expect(kinds.filter((kind) => ![...changed].some((text) => kind.test(text)))).toEqual([]);
});
