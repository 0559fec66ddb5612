import { expect, test as base } from "@playwright/test";

import { waitingForHydration } from "@/tests/e2e/support/hydrated";

/**
 * Tests that fail when a page violates its Content Security Policy, which the browser reports on its console. A page is
 * open once it is hydrated.
 */
export const test = base.extend<{ violations: string[] }>({
  context: async ({ context, javaScriptEnabled }, use) => {
    if (javaScriptEnabled ?? true) {
      const { newPage } = context;
      context.newPage = async () => waitingForHydration(await newPage.apply(context));
    }
    await use(context);
  },
  violations: [
    async ({ context }, use) => {
      const violations: string[] = [];
      context.on("console", (message) => {
        if (message.type() === "error" && message.text().includes("Content Security Policy"))
          violations.push(message.text());
      });
      await use(violations);
      expect(violations, "what pages tried against their Content Security Policy").toEqual([]);
    },
    { auto: true },
  ],
});
