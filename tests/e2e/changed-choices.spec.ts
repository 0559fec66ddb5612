import { expect } from "@playwright/test";

import { analyzeOrg, expectAccounted, originOf, start, test } from "@/tests/e2e/support/own-org";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";

test.setTimeout(900_000);

test("choices that were changed after a run are told, and applied by a full run @exhaustive", async ({ page, org }) => {
  const migration = await analyzeOrg(page, org);
  await start(page, migration);
  await expectAccounted(page);
  const data = { objects: { Contact: { fields: { Phone: null } } } };
  await page.request.put(`/api/v1${migration}/configuration`, { headers: originOf(page), data });
  const changed = page.getByRole("alert", { name: "Choices were changed since the last full run" });
  await expect(changed).toContainText("This concerns Contacts:");
  await expectSoundPage(page);
  await changed.getByRole("button", { name: "Run again" }).click();
  await expect(changed).toHaveCount(0);
  await expectAccounted(page);
  await expect(changed).toHaveCount(0);
});
