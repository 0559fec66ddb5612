import { expect, type Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/demo";

/** Fills in the connect step with the sandbox org and follows the analysis to the report. Returns the migration's path. */
export async function connectOrg(page: Page): Promise<string> {
  const { sandbox_org } = readDemo();
  await fillConnection(page, sandbox_org.instance_url, sandbox_org.access_token);
  await page.waitForURL(/\/migration\/[0-9a-f-]{36}\/analyze$/);
  await page.waitForURL(/\/report$/, { timeout: 120_000 });
  await expect(page.getByRole("heading", { name: "Risks" })).toBeVisible();
  return new URL(page.url()).pathname.replace(/\/report$/, "");
}

export async function fillConnection(page: Page, instanceUrl: string, accessToken: string): Promise<void> {
  await page.getByLabel("Address of your Salesforce org").fill(instanceUrl);
  await page.getByRole("textbox", { name: "Access token" }).fill(accessToken);
  await page.getByRole("button", { name: "Connect and analyze" }).click();
}
