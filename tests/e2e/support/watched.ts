import { expect, type Page, test as base } from "@playwright/test";

/** Whether React has taken over what the server rendered: a click before that does nothing. Runs in the page. */
function isHydrated(): boolean {
  return [...document.querySelectorAll("button, input, select")].every((element) =>
    Object.keys(element).some((key) => key.startsWith("__react")),
  );
}

async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(isHydrated, undefined, { timeout: 45_000 });
}

/**
 * Tests that fail when a page violates its Content Security Policy, which the browser reports on its console. A page is
 * open once it is hydrated.
 */
export const test = base.extend<{ violations: string[] }>({
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled ?? true) {
      const { goto } = page;
      page.goto = async (...args) => {
        const response = await goto.apply(page, args);
        await hydrated(page);
        return response;
      };
    }
    await use(page);
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
