import { spawn } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "@playwright/test";

import { freePort } from "@/scripts/service/free-port";
import { box, button, field, removeWebhook, test, WEBHOOKS_PATH, webhookOf } from "@/tests/e2e/support/webhook-pages";

const OWN_SECRET = "a secret of our own";

for (const [kind, tag] of [
  ["generated", ""],
  ["own", " @exhaustive"],
] as const) {
  test(`the receiver for Node runs unchanged and verifies (${kind} secret)${tag}`, async ({ page }, info) => {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), "crm-receiver-"));
    await page.goto(`${WEBHOOKS_PATH}/new`);
    await field(page, "Endpoint").fill(`http://127.0.0.1:${port}/`);
    await field(page, "Description").fill(`Example ${kind} ${info.project.name}`);
    await box(page, "Everything *").check();
    if (kind === "own") {
      await page.getByRole("radio", { name: "I bring my own" }).check();
      await field(page, "Your secret").fill(OWN_SECRET);
    }
    await button(page, "Create webhook").click();
    const program = await page.getByRole("tabpanel", { name: "Node" }).locator("pre").innerText();
    const secret = kind === "own" ? OWN_SECRET : await page.getByRole("alert").locator("code").innerText();
    await writeFile(join(folder, "receiver.mjs"), program.replace("8080", String(port)));
    // Instead of `npm install`.
    await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    const child = spawn(process.execPath, ["receiver.mjs"], {
      cwd: folder,
      env: { ...process.env, WEBHOOK_SECRET: secret },
    });
    try {
      let printed = "";
      child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      await expect
        .poll(() =>
          fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "{}" }).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(400);
      await button(page, "Send a test event").click();
      await expect(page.getByText("The endpoint answered 204")).toBeVisible();
      expect(printed).toContain("webhook.test");
      await page.getByRole("link", { name: "Done" }).click();
      await page.waitForURL(/webhooks\/[0-9a-f-]{36}$/);
      await removeWebhook(page, webhookOf(page));
    } finally {
      child.kill();
      await rm(folder, { recursive: true });
    }
  });
}
