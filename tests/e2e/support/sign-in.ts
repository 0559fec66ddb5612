import type { Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/support/demo";

/** Opens `path` as the demo's admin or as somebody else, who signs in first and is led back to it. */
export async function signIn(
  page: Page,
  path: string,
  person: { email: string; password: string } = readDemo().admin,
): Promise<void> {
  await page.goto(path);
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => `${url.pathname}${url.search}` === path);
}
