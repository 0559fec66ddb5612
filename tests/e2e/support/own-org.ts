import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

import { expect, type Page } from "@playwright/test";

import { z } from "zod";

import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { fillConnection } from "@/tests/e2e/support/connect-org";
import { createOwnOrganization } from "@/tests/e2e/support/own-organization";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test as base } from "@/tests/e2e/support/signed-in";
import { test as watched } from "@/tests/e2e/support/watched";

const RECORDS = 400;

/** So many have something of all that the wizard shows: duplicates, copies of e-mails, records of many years. */
const RECORDS_OF_EACH_SORT = 2000;

/** Each page that a run reads takes so long that a person, or a test, can step in. */
const SLOW_MS = 1500;

/**
 * Tests with a small Salesforce org of their own, so that its faults and changes disturb no other test. Some of its
 * records have the ids of the demo's, so its migrations are undone after the test.
 */
export const test = base.extend<{ org: RunningOrg }>({
  org: async ({ page }, use) => {
    const org = await startSandboxOrg({ records: RECORDS, seed: randomInt(1, 1_000_000) });
    await use(org);
    await undoMigrations(page, org);
    await org.stop();
  },
});

/**
 * Tests with a larger org, whose browser is signed in to an organization of its own, where the wizard begins. Nothing
 * needs to be undone there.
 */
export const inOwnOrganization = watched.extend<{ org: RunningOrg }>({
  org: async ({ page }, use) => {
    await signIn(page, "/migration/new", (await createOwnOrganization()).admin);
    const org = await startSandboxOrg({ records: RECORDS_OF_EACH_SORT });
    await use(org);
    await org.stop();
  },
});

const migrations = z.object({
  data: z.array(z.object({ migration_id: z.string(), ext_instance_url: z.string(), status: z.string() })),
});

async function migrationsOf(page: Page, { instanceUrl }: RunningOrg) {
  const answer = await page.request.get("/api/v1/migration?limit=10");
  return migrations.parse(await answer.json()).data.filter((each) => each.ext_instance_url === instanceUrl);
}

function isOver(status: string): boolean {
  return status === "undone" || status === "ready";
}

async function undoMigrations(page: Page, org: RunningOrg): Promise<void> {
  const headers = originOf(page);
  for (const { migration_id: id, status } of await migrationsOf(page, org)) {
    if (status === "running" || status === "paused")
      await page.request.post(`/api/v1/migration/${id}/cancel`, { headers, data: {} });
    if (!isOver(status)) await page.request.post(`/api/v1/migration/${id}/undo`, { headers, data: {} });
  }
  await expect
    .poll(async () => (await migrationsOf(page, org)).every(({ status }) => isOver(status)), { timeout: 180_000 })
    .toBe(true);
}

/** What a request that changes something needs beside the session. */
export function originOf(page: Page): { origin: string } {
  return { origin: new URL(page.url()).origin };
}

/** Connects the org and waits for its analysis. Returns the path of the migration. */
export async function analyzeOrg(page: Page, org: RunningOrg): Promise<string> {
  await page.goto("/migration/new");
  await fillConnection(page, org.instanceUrl, org.accessToken);
  await page.waitForURL(/\/report$/, { timeout: 120_000 });
  return new URL(page.url()).pathname.replace(/\/report$/, "");
}

/** Connects the org, whose objects are described one after the other so slowly that the analysis can be watched. */
export async function analyzeSlowly(page: Page, org: RunningOrg): Promise<void> {
  await org.setRules([{ path: "/describe", delayMs: SLOW_MS }]);
  await page.goto("/migration/new");
  await fillConnection(page, org.instanceUrl, org.accessToken);
  await page.waitForURL(/\/migration\/[0-9a-f-]{36}\/analyze$/);
}

/** Lets every page of records take its time; {@link hurry} ends that. */
export async function slowDown(org: RunningOrg): Promise<void> {
  await org.setRules([{ soql: "ORDER BY Id", delayMs: SLOW_MS }]);
}

export async function hurry(org: RunningOrg): Promise<void> {
  await org.setRules([]);
}

/** Starts an analyzed migration. */
export async function start(page: Page, migration: string): Promise<void> {
  await page.goto(`${migration}/migrate`);
  await page.getByRole("button", { name: "Start migration" }).click();
}

export async function expectAccounted(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Every record is accounted for" })).toBeVisible({ timeout: 120_000 });
}

/** The process ids of the workers of the service that `baseURL` belongs to, by the settings they were started with. */
export function findWorkers(baseURL: string): number[] {
  const port = `PORT=${new URL(baseURL).port}`;
  const found = readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const read = (file: string) => readFileSync(`/proc/${name}/${file}`, "utf8").split("\0");
      return read("cmdline").some((part) => part.endsWith("/dist/worker.js")) && read("environ").includes(port);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
  if (found.length === 0) throw new Error(`No worker of the service on ${port} is running on this machine.`);
  return found.map(Number);
}
