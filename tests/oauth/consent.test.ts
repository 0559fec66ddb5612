import { beforeAll, describe, expect, test } from "vitest";

import { signInBrowser } from "@/scripts/demo/obtain-access-token";
import { pool } from "@/tests/support/owner";

import {
  type Arranged,
  arrange,
  authorizeQuery,
  BASE_URL,
  consentFields,
  PASSWORD,
  visit,
} from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";

let arranged: Arranged;
beforeAll(async () => {
  arranged = await arrange(["crm:read"]);
});

/** Opens a request, changes the fields of its consent form, and presses Allow. */
async function pressAllow(change: (fields: Record<string, string>) => Record<string, string>): Promise<Response> {
  const page = await (await arranged.browser.get(await visit(arranged, authorizeQuery(arranged)))).text();
  return arranged.browser.post("/oauth/consent/decision", change({ ...consentFields(page), decision: "allow" }));
}

describe("the consent form counts", () => {
  test("only with its token", async () => {
    expect((await pressAllow((fields) => ({ ...fields, token: "" }))).status).toBe(400);
    expect((await pressAllow((fields) => ({ ...fields, token: "A".repeat(43) }))).status).toBe(400);
  });

  test("only for the request that it was made for", async () => {
    const second = consentFields(
      await (await arranged.browser.get(await visit(arranged, authorizeQuery(arranged)))).text(),
    );
    expect((await pressAllow((fields) => ({ ...fields, request: second.request }))).status).toBe(400);
  });

  test("only in the sign-in that it was made in", async () => {
    const page = await (await arranged.browser.get(await visit(arranged, authorizeQuery(arranged)))).text();
    const other = await signInBrowser({ baseUrl: BASE_URL, email: arranged.email, password: PASSWORD, fetch: send });
    expect((await other.post("/oauth/consent/decision", { ...consentFields(page), decision: "allow" })).status).toBe(
      400,
    );
  });

  test("once", async () => {
    const consent = await visit(arranged, authorizeQuery(arranged));
    const fields = { ...consentFields(await (await arranged.browser.get(consent)).text()), decision: "allow" };
    const answers = await Promise.all([1, 2].map(() => arranged.browser.post("/oauth/consent/decision", fields)));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([303, 400]);
  });

  test("only when it is sent from our own origin", async () => {
    const page = await (await arranged.browser.get(await visit(arranged, authorizeQuery(arranged)))).text();
    const body = new URLSearchParams({ ...consentFields(page), decision: "allow" });
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, {}]) {
      const response = await send(`${BASE_URL}/oauth/consent/decision`, {
        method: "POST",
        headers: headers as Record<string, string>,
        body,
      });
      expect(response.status).toBe(403);
    }
  });

  test("not when the form says both", async () => {
    const page = await (await arranged.browser.get(await visit(arranged, authorizeQuery(arranged)))).text();
    const body = new URLSearchParams([
      ...Object.entries(consentFields(page)),
      ["decision", "allow"],
      ["decision", "deny"],
    ]);
    const headers = { origin: BASE_URL, cookie: arranged.browser.cookieHeader() };
    const response = await send(`${BASE_URL}/oauth/consent/decision`, { method: "POST", headers, body });
    expect(response.headers.get("location")).toContain("error=access_denied");
  });

  test("within ten minutes", async () => {
    const consent = await visit(arranged, authorizeQuery(arranged));
    const fields = consentFields(await (await arranged.browser.get(consent)).text());
    await pool().query("UPDATE oauth_authorizations SET expires_at = now() WHERE id = $1", [fields.request]);
    expect((await arranged.browser.post("/oauth/consent/decision", { ...fields, decision: "allow" })).status).toBe(400);
  });

  test("only for members of the organization that the client belongs to", async () => {
    const stranger = await arrange();
    const response = await stranger.browser.get(`/oauth/authorize?${authorizeQuery(arranged)}`);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain(stranger.email);
  });

  test("and nobody else is sent to the client, not even with an error", async () => {
    const stranger = await arrange();
    const response = await stranger.browser.get(
      `/oauth/authorize?${authorizeQuery(arranged, { response_type: "token" })}`,
    );
    expect([response.status, response.headers.get("location")]).toEqual([403, null]);
  });

  test("not for a client that was revoked before the decision", async () => {
    const other = await arrange();
    const consent = await visit(other, authorizeQuery(other));
    const fields = consentFields(await (await other.browser.get(consent)).text());
    await pool().query("UPDATE oauth_clients SET revoked_at = now() WHERE id = $1", [other.client.id]);
    expect((await other.browser.post("/oauth/consent/decision", { ...fields, decision: "allow" })).status).toBe(400);
  });
});

const WEBHOOKS =
  "Create, change and delete webhooks, which send the records of your organization to addresses of its choice";

test("the consent page tells an admin that an app with crm:write can set up webhooks", async () => {
  const writing = await arrange(["crm:read", "crm:write"]);
  const asks = async (scope: string) => {
    const page = await writing.browser.get(await visit(writing, authorizeQuery(writing, { scope })));
    return page.text();
  };
  expect(await asks("crm:write")).toContain(WEBHOOKS);
  const reading = await asks("crm:read");
  expect(reading).not.toContain(WEBHOOKS);
  expect(reading).toContain("See the webhooks of your organization");
  await pool().query("UPDATE memberships SET role = 'member' WHERE user_id = $1", [writing.userId]);
  expect(await asks("crm:write")).not.toContain("webhooks");
});
