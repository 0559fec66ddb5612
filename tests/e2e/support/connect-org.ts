import { randomBytes } from "node:crypto";

import { expect, type Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/support/demo";

/**
 * Fills in the connect step with the sandbox org and follows the analysis to the report. Returns the migration's path.
 */
export async function connectOrg(page: Page): Promise<string> {
  await fillConnection(page, readDemo().sandbox_org.ext_instance_url, await ownAccessToken());
  await page.waitForURL(/\/migration\/[0-9a-f-]{36}\/analyze$/);
  // A fast analysis is over by now: then it is the report that says so.
  await expect(page.getByText("Nothing is written until you press")).toBeVisible();
  await page.waitForURL(/\/report$/, { timeout: 120_000 });
  await expect(page.getByRole("heading", { name: "Risks" })).toBeVisible();
  return new URL(page.url()).pathname.replace(/\/report$/, "");
}

/** A separate access token of the sandbox org, which disconnecting revokes; the demo's own stays valid. */
async function ownAccessToken(): Promise<string> {
  const { ext_instance_url, ext_access_token } = readDemo().sandbox_org;
  const token = ext_access_token + randomBytes(8).toString("hex");
  const answer = await fetch(`${ext_instance_url}/__control/accept-token`, {
    method: "POST",
    body: JSON.stringify({ token }),
  });
  expect(answer.ok, "the sandbox org accepts another access token").toBe(true);
  return token;
}

export async function fillConnection(page: Page, instanceUrl: string, accessToken: string): Promise<void> {
  await page.getByLabel("Address of your Salesforce org").fill(instanceUrl);
  await page.getByRole("textbox", { name: "Access token" }).fill(accessToken);
  await page.getByRole("button", { name: "Connect and analyze" }).click();
}
