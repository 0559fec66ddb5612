import type { BrowserContext } from "@playwright/test";

import { signIn } from "@/tests/e2e/support/sign-in";
import { test as base } from "@/tests/e2e/support/watched";

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Tests whose browser is signed in as the admin, who signs in once per worker, through the page. */
export const test = base.extend<object, { session: Session }>({
  storageState: ({ session }, use) => use(session),
  session: [
    async ({ browser }, use, { project }) => {
      const page = await browser.newPage({ baseURL: project.use.baseURL });
      await signIn(page, "/migration/new");
      await use(await page.context().storageState());
      await page.close();
    },
    { scope: "worker" },
  ],
});
