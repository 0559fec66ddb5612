import { expect, test as base } from "@playwright/test";

/** Tests in which no page may try what its Content Security Policy forbids: the browser says so on its console. */
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
