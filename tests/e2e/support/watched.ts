import { expect, test as base } from "@playwright/test";

/** Tests that fail when a page violates its Content Security Policy, which the browser reports on its console. */
export const test = base.extend<{ violations: string[] }>({
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
