import { expect } from "@playwright/test";

import { freePort } from "@/scripts/service/free-port";
import { expectReadableColors, expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/watched";
import { startOwnService } from "@/tests/service/setup/own-service";

test("on the first visit, everybody can read what to fill in, and the organization is created", async ({ page }) => {
  const service = await startOwnService(await freePort(), {});
  try {
    // The link also works where the page is shown already: then only what stands after # changes.
    await page.goto(`${service.baseUrl}/setup`);
    await expect(page.getByLabel("Setup code")).toHaveValue("");
    await page.goto(/http\S+\/setup#\S+/.exec(service.printed())?.[0] ?? "");
    await expect(page.getByRole("heading", { level: 1, name: "Welcome" })).toBeVisible();
    await expect(page.getByLabel("Setup code")).not.toHaveValue("");
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectSoundPage(page);
      await expectReadableColors(page);
    }
    await page.getByLabel("Organization").fill("Neckar Pumpen GmbH");
    await page.getByLabel("Your name").fill("Ada Okafor");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("cobalt harvest lantern 42");
    await page.getByRole("button", { name: "Create the organization and sign in" }).click();
    await expect(page.getByRole("button", { name: /Ada Okafor/ })).toBeVisible();
    await page.goto(`${service.baseUrl}/setup`);
    await expect(page).not.toHaveURL(/setup/);
  } finally {
    await service.stop();
  }
});
