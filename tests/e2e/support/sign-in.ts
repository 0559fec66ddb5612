import type { Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/support/demo";
import type { Credentials } from "@/tests/e2e/support/member";

/** Opens `path` as the demo's admin or as somebody else, who signs in first and is led back to it. */
export async function signIn(page: Page, path: string, person: Credentials = readDemo().admin): Promise<void> {
  await page.goto(path);
  await enterPassword(page, person);
  await page.waitForURL((url) => `${url.pathname}${url.search}` === path);
}

/** Signs in at the page that asks for it. */
export async function enterPassword(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
