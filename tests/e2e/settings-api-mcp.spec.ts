import { expect } from "@playwright/test";

import { readDemo } from "@/tests/e2e/support/demo";
import { pressOn, tabTo } from "@/tests/e2e/support/keyboard";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

test("a client's page has what an assistant needs: a server that asks for its scopes, and a file to copy", async ({
  page,
  context,
}, info) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const data = {
    name: `Assistant ${info.project.name}`,
    redirect_uris: ["http://localhost:4180/callback"],
    scopes: ["crm:write"],
  };
  const headers = { origin: readDemo().base_url };
  const answer = await page.request.post("/api/v1/settings/clients", { data, headers });
  const { id, client_id } = (await answer.json()) as { id: string; client_id: string };

  await page.goto(`/settings/api/${id}`);
  await pressOn(page, page.locator("summary").filter({ hasText: "Connect an assistant (MCP)" }));
  await pressOn(page, page.getByRole("button", { name: "Copy the MCP server URL" }));
  await expect.poll(copied).toBe(`${readDemo().base_url}/api/mcp`);
  expect((await page.request.post(await copied(), { data: {} })).status()).toBe(401);
  await pressOn(page, page.getByRole("button", { name: "Copy the OAuth client ID" }));
  await expect.poll(copied).toBe(client_id);
  await expect(page.getByRole("definition").filter({ hasText: "http://localhost:4180/callback" })).toBeVisible();
  await expectSoundPage(page);

  await tabTo(page, page.getByRole("tab", { name: "JSON" }));
  for (const host of ["Claude Code", "VS Code", "Cursor", "JSON"]) {
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("tabpanel", { name: host })).toContainText(client_id);
    await expectSoundPage(page);
  }
  await pressOn(page, page.getByRole("button", { name: "Copy the example for JSON" }));
  await expect.poll(copied).toContain("callbackPort");
  expect(JSON.parse(await copied())).toEqual({
    mcpServers: {
      crm: {
        type: "http",
        url: `${readDemo().base_url}/api/mcp`,
        oauth: { clientId: client_id, callbackPort: 4180 },
      },
    },
  });
});
