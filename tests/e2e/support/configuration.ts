import { expect, type Page } from "@playwright/test";

import { connectOrg, findDemoOrg } from "@/tests/e2e/support/connect-org";
import { readDemo } from "@/tests/e2e/support/demo";

export interface Stored {
  configuration: { objects: Record<string, object>; send_events: boolean };
  tag: string;
}

/**
 * The path of a migration of the demo's org that can be configured: one that is there, or else a new one. The orgs that
 * other tests have started have stopped.
 */
export async function configurableMigration(page: Page): Promise<string> {
  await page.goto("/migration");
  return (await findConfigurable(page)) ?? (await connectNew(page));
}

/** Opens a part of the step for such a migration. */
export async function openPart(page: Page, part: string): Promise<string> {
  const path = await configurableMigration(page);
  await page.goto(`${path}/configure?part=${part}`);
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  return path;
}

function findConfigurable(page: Page): Promise<string | null> {
  const { ext_instance_url } = readDemo().sandbox_org;
  return page.evaluate(async (query) => {
    const answer = await fetch(`/api/v1/migration?${query}`);
    const { data } = (await answer.json()) as { data: { migration_id: string; status: string; connected: boolean }[] };
    const configurable = new Set(["ready", "completed", "completed_with_errors"]);
    const found = data.find(({ status, connected }) => connected && configurable.has(status));
    return found ? `/migration/${found.migration_id}` : null;
  }, new URLSearchParams({ ext_instance_url }).toString());
}

async function connectNew(page: Page): Promise<string> {
  await page.goto("/migration/new");
  return connectOrg(page, await findDemoOrg());
}

export function readStored(page: Page, path: string): Promise<Stored> {
  return page.evaluate(async (url) => {
    const answer = await fetch(url);
    return { configuration: (await answer.json()) as Stored["configuration"], tag: answer.headers.get("etag") ?? "" };
  }, `/api/v1${path}/configuration`);
}

/** Saves as somebody else does, in another window. */
export async function saveElsewhere(page: Page, path: string, configuration: object): Promise<void> {
  const status = await page.evaluate(
    async ([url, body]) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(url, { method: "PUT", headers, body })).status;
    },
    [`/api/v1${path}/configuration`, JSON.stringify(configuration)] as const,
  );
  expect(status).toBe(200);
}
