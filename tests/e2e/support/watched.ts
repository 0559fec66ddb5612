import { setTimeout } from "node:timers/promises";

import { expect, type Page, test as base } from "@playwright/test";

import { waitingForHydration } from "@/tests/e2e/support/hydrated";

/**
 * Tests that fail when a page violates its Content Security Policy, which the browser reports on its console. A page is
 * open once it is hydrated. What fails says whether its pages still draw.
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
    async ({ context }, use, info) => {
      const violations: string[] = [];
      context.on("console", (message) => {
        if (message.type() === "error" && message.text().includes("Content Security Policy"))
          violations.push(message.text());
      });
      await use(violations);
      if (info.status !== info.expectedStatus)
        for (const page of context.pages())
          await info.attach(`Does ${page.url()} draw`, { body: await drawsStill(page), contentType: "text/plain" });
      expect(violations, "what pages tried against their Content Security Policy").toEqual([]);
    },
    { auto: true },
  ],
});

/** Whether a page still draws. One that does and stays as it is waits for something else: a transition of React. */
function drawsStill(page: Page): Promise<string> {
  const drawn = page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(() => resolve("yes"))));
  return Promise.race([drawn.then(String), setTimeout(2000, "not in two seconds")]).catch(String);
}
