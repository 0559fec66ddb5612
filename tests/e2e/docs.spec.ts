import { expect } from "@playwright/test";

import { test } from "@/tests/e2e/support/watched";

/** Nobody is signed in: anybody who writes a program may read the reference. pages.spec.ts looks at all its pages. */
for (const path of ["/docs", "/docs/sign-in", "/docs/accounts", "/docs/errors/not_found"]) {
  test(`${path} is there without sign-in, and loads nothing from elsewhere`, async ({ page, baseURL }) => {
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith("data:") && new URL(request.url()).origin !== new URL(baseURL ?? "").origin)
        elsewhere.push(request.url());
    });
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(elsewhere).toEqual([]);
  });
}

test("from the overview to a field of a record, and to an error of an operation", async ({ page }) => {
  await page.goto("/docs");
  await page.getByRole("main").getByRole("link", { name: "Opportunities", exact: true }).click();
  await page.getByRole("link", { name: "PATCH /opportunities/{id}" }).click();
  const card = page.getByRole("region", { name: "PATCH /opportunities/{id}" });
  await expect(card.getByText("closed_won")).toBeVisible();
  await card.getByRole("tab", { name: "TypeScript" }).click();
  await expect(card.getByText("JSON.stringify")).toBeVisible();
  await card.getByText("Problems").click();
  await card.getByRole("link", { name: "precondition_failed" }).click();
  await expect(page.getByRole("heading", { name: "How to mend it" })).toBeVisible();
});

test("an unknown error code has no page", async ({ page }) => {
  const response = await page.goto("/docs/errors/nothing");
  expect(response?.status()).toBe(404);
});

test("the first Tab stop leads past the navigation to the content", async ({ page }) => {
  await page.goto("/docs/accounts");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
