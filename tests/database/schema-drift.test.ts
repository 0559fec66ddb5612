import { randomBytes } from "node:crypto";

import { expect, inject, test } from "vitest";

import { ensureDatabase } from "@/scripts/postgres/databases";
import { diffMigrationsToSchema } from "@/scripts/postgres/schema-engine";
import { dropDatabase, withDatabase } from "@/tests/support/databases";

test("the migrations create exactly the schema", async () => {
  const url = withDatabase(inject("templateUrl"), `crm_shadow_${randomBytes(4).toString("hex")}`);
  const name = new URL(url).pathname.slice(1);
  await ensureDatabase(withDatabase(url, "postgres"), name);
  try {
    expect(await diffMigrationsToSchema(url)).toBe("");
  } finally {
    await dropDatabase(withDatabase(url, "postgres"), name);
  }
});
