import type { Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/demo";

/** Opens `path` as the demo's admin, who has to sign in first and is led back to it. */
export async function signIn(page: Page, path: string): Promise<void> {
  const { admin } = readDemo();
  await page.goto(path);
  await page.getByLabel("E-mail address").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => `${url.pathname}${url.search}` === path);
}
