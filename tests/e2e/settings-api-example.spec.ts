import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "@playwright/test";

import { runExample } from "@/tests/e2e/support/run-example";
import { test } from "@/tests/e2e/support/signed-in";
import { listen } from "@/tests/support/hosts";

/** The server that redirect URIs lead to in these tests. */
async function startCallback(): Promise<{ uri: string; stop: () => void }> {
  const server = createServer((_, response) => response.end("Arrived."));
  return { uri: `${await listen(server)}/callback?kept=1`, stop: () => server.close() };
}

for (const [way, tag] of [
  ["bash and curl", ""],
  ["Node", " @exhaustive"],
] as const) {
  test(`the example for ${way} runs unchanged, from the page to the first records${tag}`, async ({ page }, info) => {
    const { uri, stop } = await startCallback();
    const folder = await mkdtemp(join(tmpdir(), "crm-example-"));
    try {
      await page.goto(`/settings/api/new`);
      await page.getByRole("textbox", { name: "Name" }).fill(`Example in ${way} ${info.project.name}`);
      await page.getByRole("textbox", { name: "Redirect URI 1" }).fill(uri);
      await page.getByRole("button", { name: "Create client" }).click();
      await page.getByRole("tab", { name: way }).click();
      const program = await page.getByRole("tabpanel", { name: way }).locator("pre").innerText();
      const file = join(folder, "crm-example.mjs");
      await writeFile(file, program);
      const example = way === "Node" ? runExample(process.execPath, [file]) : runExample("bash", [], program);
      await page.goto(await example.address);
      await page.getByRole("button", { name: "Allow" }).click();
      await expect(page.getByText("Arrived.")).toBeVisible();
      const printed = await example.finish(page.url());
      expect(printed).toMatch(/"?has_more"?: ?(true|false)/);

      const row = page.getByRole("row").filter({ hasText: `Example in ${way} ${info.project.name}` });
      await expect(async () => {
        await page.goto("/settings/api");
        await expect(row.first()).toContainText(/minute|just now/);
      }).toPass();
    } finally {
      stop();
      await rm(folder, { recursive: true });
    }
  });
}
