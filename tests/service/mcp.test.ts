import { UnauthorizedError } from "@modelcontextprotocol/client";
import { beforeAll, expect, test } from "vitest";

import type { Browser } from "@/scripts/demo/obtain-access-token";
import { readDemo } from "@/tests/service/support/demo";
import { McpHost, type Revision } from "@/tests/service/support/mcp-host";
import { type SettingsApi, signInToSettings } from "@/tests/service/support/settings-api";

// The MCP client that hosts use, unmodified, against the built service. It knows the address of the server, and the
// client id and secret that a person has pasted in. The person is played by HTTP: signs in and presses Allow.

const demo = readDemo();
const REDIRECT_URI = "http://127.0.0.1:53684/callback";
const SCOPES = ["crm:read", "crm:write", "erp:read"];
const REVISIONS: Revision[] = ["2025-11-25", "2026-07-28"];

let settings: SettingsApi;
let browser: Browser;
beforeAll(async () => {
  ({ settings, browser } = await signInToSettings(demo));
});

async function hostOf(revision: Revision, scopes: string[], asked?: string): Promise<McpHost> {
  const client = await settings.register(REDIRECT_URI, scopes);
  const host = new McpHost({ server: new URL("/api/mcp", demo.base_url), revision, client, redirectUri: REDIRECT_URI });
  await expect(host.connect()).rejects.toThrow(UnauthorizedError);
  expect(await host.allow(browser, asked)).toEqual(asked?.split(" ") ?? SCOPES);
  await host.connect();
  return host;
}

/** Records that the day begins with. */
async function arrange(host: McpHost) {
  const create = (object: string, fields: object) => host.call("create_record", { object, fields });
  const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
  return {
    name,
    contact: await create("contacts", { first_name: name, last_name: "Lovelace" }),
    deal: await create("opportunities", { name, stage: "prospecting", close_date: "2099-01-31" }),
    leaking: await create("cases", { subject: "The pump leaks" }),
    lead: await create("leads", { last_name: "Hopper", company: name }),
  };
}

test.each(REVISIONS)(
  "revision %s: signs in by discovery from a 401, steps up its scope, and does a working day",
  async (revision) => {
    const host = await hostOf(revision, ["crm:read", "crm:write"], "crm:read");
    expect(await host.call("whoami")).toMatchObject({ email: demo.admin.email, scopes: ["crm:read"] });
    await expect(host.call("create_record", { object: "accounts", fields: { name: "Acme" } })).rejects.toThrow(
      UnauthorizedError,
    );
    expect(await host.allow(browser)).toContain("crm:write");

    const { name, contact, deal, leaking, lead } = await arrange(host);
    const found = await host.call("search", { query: name, objects: ["contacts"] });
    expect(found.data).toMatchObject([{ id: contact.id, url: `${demo.base_url}/contacts/${contact.id}` }]);
    await host.call("log_activity", { type: "call", subject: "Asked about pumps", contact_id: contact.id });
    expect(await host.call("get_timeline", { object: "contacts", id: contact.id })).toMatchObject({
      activities: { data: [{ fields: { subject: "Asked about pumps", status: "completed" } }] },
    });
    const moved = { id: deal.id, expected_version: deal.version, stage: "proposal" };
    expect(await host.call("change_stage", moved)).toMatchObject({ fields: { stage: "proposal" } });
    const escalated = { id: leaking.id, expected_version: leaking.version, reason: "Water everywhere" };
    expect(await host.call("escalate_case", escalated)).toMatchObject({ fields: { is_escalated: true } });
    const converted = { id: lead.id, expected_version: lead.version };
    expect(await host.call("convert_lead", converted)).toMatchObject({
      lead: { fields: { status: "converted" } },
      account: { created: true },
    });
    const pipeline = await host.call("pipeline_summary", { closes_from: "2099-01-31" });
    expect(pipeline.data).toContainEqual(expect.objectContaining({ stage: "proposal" }));
  },
);

test.each(REVISIONS)(
  "revision %s: a host that asks for every scope gets what its client was created with, and no further sign-in",
  async (revision) => {
    const products = await hostOf(revision, ["erp:read"]);
    expect(await products.call("whoami")).toMatchObject({ scopes: ["erp:read"] });
    const reading = await hostOf(revision, ["crm:read"]);
    const create = reading.call("create_record", { object: "accounts", fields: { name: "Acme" } });
    await expect(create).rejects.toThrow(/refused.*created without it; an admin can make another/);
  },
);
