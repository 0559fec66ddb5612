import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { afterAll, inject } from "vitest";

import { closeDatabase } from "@/lib/database/db";
import { env } from "@/lib/env";
import { registerJobSender } from "@/lib/jobs";
import { flushStoredBytes } from "@/lib/storage-quota";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { dropDatabase, withDatabase } from "@/tests/support/databases";
import { closeOwner } from "@/tests/support/owner";
import { settingsAsRead } from "@/tests/support/settings-as-read";

// Every suite (test file) has its own database, cloned from the migrated template.
const templateUrl = inject("templateUrl");
const template = new URL(templateUrl).pathname.slice(1);
const server = withDatabase(templateUrl, "postgres");
const name = `crm_suite_${randomBytes(6).toString("hex")}`;

await ensureDatabase(server, name, template);
// The tested code works as the service's user, which sees nothing of an organization outside of its scope; tests
// inspect as the owner.
process.env.DATABASE_URL = withDatabase(inject("templateRuntimeUrl"), name);
process.env.DATABASE_OWNER_URL = withDatabase(templateUrl, name);
// The suites of a worker share its modules, but not the state that another suite has set.
Object.assign(env, settingsAsRead, { DATABASE_URL: process.env.DATABASE_URL });
registerJobSender(undefined);
// Rows of files are made without contents, and a storage that is gone is an error.
mkdirSync(join(env.DATA_DIR, "files"), { recursive: true });
await closeDatabase();

afterAll(async () => {
  // Its timer would otherwise use the next suite's database.
  await flushStoredBytes();
  await closeDatabase();
  await closeOwner();
  await dropDatabase(server, name);
});
