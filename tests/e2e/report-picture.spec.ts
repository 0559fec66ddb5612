import { test } from "@playwright/test";

import { connectOrg } from "@/tests/e2e/support/connect-org";
import { signIn } from "@/tests/e2e/support/sign-in";

test("takes the README's picture of the report @screenshot", async ({ page }, testInfo) => {
  test.skip(testInfo.project.name !== "desktop", "One picture is enough.");
  await signIn(page, "/migration/new");
  await connectOrg(page);
  await page.screenshot({ path: "docs/images/report.png", clip: { x: 0, y: 0, width: 1440, height: 900 } });
});
