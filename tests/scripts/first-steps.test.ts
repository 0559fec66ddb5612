import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { setupCode } from "@/lib/sessions/people/setup-code";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import { ROOT } from "@/scripts/service/root";
import { setupInvitation, welcome } from "@/scripts/service/welcome";
import { createOrganization } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const HERE = "http://localhost:3000";

test("npm start prints a link with the setup code behind the # while there is no organization", async () => {
  const first = welcome(HERE, await setupInvitation(HERE));
  expect(first).toContain(`running at ${HERE}\n  Create your organization at ${HERE}/setup#${setupCode()}\n`);
  expect(first).toContain(`enter the setup code ${setupCode()}.`);
  await createOrganization();
  const later = welcome(HERE, await setupInvitation(HERE));
  expect(later).toContain("Open it in a browser and sign in.");
  expect(later).not.toContain(setupCode());
});

async function countDemos(): Promise<number | undefined> {
  const { rows } = await pool().query<{ found: number }>(
    "SELECT count(*)::int AS found FROM organizations WHERE name = 'Demo'",
  );
  return rows[0]?.found;
}

test("the demo organization is created once, and another one after demo.json is moved away", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crm-demo-"));
  const first = await seedOrganization(folder, HERE, null);
  expect((await seedOrganization(folder, HERE, null)).admin).toEqual(first.admin);
  expect(await countDemos()).toBe(1);
  await rename(join(folder, "demo.json"), join(folder, "first.json"));
  expect((await seedOrganization(folder, HERE, null)).admin.email).not.toBe(first.admin.email);
  expect(await countDemos()).toBe(2);
});

test.each([
  ["seed:demo", "--help", 0, "stdout"],
  ["seed:demo", "--anything", 1, "stderr"],
  ["create-organization", "--help", 0, "stdout"],
  ["create-organization", "--anything", 1, "stderr"],
  ["demo", "--help", 0, "stdout"],
  ["demo", "--anything", 1, "stderr"],
] as const)("npm run %s -- %s prints its usage and does nothing", (command, argument, status, stream) => {
  const folder = join(mkdtempSync(join(tmpdir(), "crm-seed-")), "data");
  const ended = spawnSync(process.execPath, [join(ROOT, `dist/${command.replace(":", "-")}.js`), argument], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, DATA_DIR: folder },
  });
  expect(ended.status).toBe(status);
  expect(ended[stream]).toContain(`Usage: npm run ${command}`);
  expect(existsSync(folder)).toBe(false);
});
