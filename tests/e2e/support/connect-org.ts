import { randomBytes } from "node:crypto";

import { expect, type Page } from "@playwright/test";

import type { RunningOrg } from "@/sandbox-org/start";
import { readDemo } from "@/tests/e2e/support/demo";

/** Where a Salesforce org is, and a token for it. */
type Org = Pick<RunningOrg, "instanceUrl" | "accessToken">;

/** Fills in the connect step and follows the analysis to the report. Returns the migration's path. */
export async function connectOrg(page: Page, { instanceUrl, accessToken }: Org): Promise<string> {
  await fillConnection(page, instanceUrl, accessToken);
  await page.waitForURL(/\/migration\/[0-9a-f-]{36}\/analyze$/);
  // A fast analysis is over by now: then it is the report that says so.
  await expect(page.getByText("Nothing is written until you press")).toBeVisible();
  await page.waitForURL(/\/report$/, { timeout: 120_000 });
  await expect(page.getByRole("heading", { name: "Risks" })).toBeVisible();
  return new URL(page.url()).pathname.replace(/\/report$/, "");
}

/** The demo's org, with a separate access token, which disconnecting revokes; the demo's own stays valid. */
export async function findDemoOrg(): Promise<Org> {
  const { ext_instance_url, ext_access_token } = readDemo().sandbox_org;
  const token = ext_access_token + randomBytes(8).toString("hex");
  const answer = await fetch(`${ext_instance_url}/__control/accept-token`, {
    method: "POST",
    body: JSON.stringify({ token }),
  });
  expect(answer.ok, "the sandbox org accepts another access token").toBe(true);
  return { instanceUrl: ext_instance_url, accessToken: token };
}

export async function fillConnection(page: Page, instanceUrl: string, accessToken: string): Promise<void> {
  await page.getByLabel("Address of your Salesforce org").fill(instanceUrl);
  await page.getByRole("textbox", { name: "Access token" }).fill(accessToken);
  await page.getByRole("button", { name: "Connect and analyze" }).click();
}
