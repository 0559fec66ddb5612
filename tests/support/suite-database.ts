import { randomBytes } from "node:crypto";

import { afterAll, inject } from "vitest";

import { dropDatabase, ensureDatabase, withDatabase } from "@/scripts/postgres/databases";

// Every suite (test file) works in a database of its own, cloned from the migrated template before any module opens a connection.
const templateUrl = inject("templateUrl");
const template = new URL(templateUrl).pathname.slice(1);
const server = withDatabase(templateUrl, "postgres");
const name = `crm_suite_${randomBytes(6).toString("hex")}`;

await ensureDatabase(server, name, template);
process.env.DATABASE_URL = withDatabase(templateUrl, name);

afterAll(async () => {
  const { closeDatabase } = await import("@/lib/db");
  await closeDatabase();
  await dropDatabase(server, name);
});
