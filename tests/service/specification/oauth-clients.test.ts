import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  type Admin,
  allowed,
  type Client,
  createClient,
  redeem,
  revokeClients,
  signInAdmin,
  tokenFor,
} from "@/tests/service/specification/support/oauth-client";
import { type Api, bearer, demo, type Page } from "@/tests/service/specification/support/service";

let admin: Admin;
beforeAll(async () => {
  admin = await signInAdmin();
});
afterAll(() => revokeClients(admin));

async function holderOf(scope: string): Promise<Api> {
  return bearer(await tokenFor(admin, await createClient(admin, [scope])));
}

describe("2. OAuth client, 5. Authentication", () => {
  test("a client is created with a name, redirect URIs and scopes, and keeps them", async () => {
    const created = await createClient(admin, ["crm:read", "crm:write", "erp:read"]);
    const { id, name, redirect_uris, scopes } = created;
    expect(created).toMatchObject({ name: "Specification client", scopes: ["crm:read", "crm:write", "erp:read"] });
    expect((await admin.settings.get(`/settings/clients/${id}`)).body).toMatchObject({ name, redirect_uris, scopes });
  });

  test("client_id begins with the prefix crm_", async () => {
    expect((await createClient(admin, ["crm:read"])).client_id).toMatch(/^crm_\w+$/);
    expect(demo.oauth_client.client_id).toMatch(/^crm_\w+$/);
  });

  test("client_secret is displayed only once, at creation", async () => {
    const { id, client_secret } = await createClient(admin, ["crm:read"]);
    expect(client_secret).toMatch(/.{20}/);
    const one = await admin.settings.get<Client>(`/settings/clients/${id}`);
    const list = await admin.settings.get<Page>("/settings/clients?limit=200");
    const page = await admin.browser.get(`/settings/api`);
    expect(list.body.data.map((client) => client.id)).toContain(id);
    for (const shown of [JSON.stringify(one.body), JSON.stringify(list.body), await page.text()])
      expect(shown).not.toContain(client_secret);
  });

  test.each(["crm:read", "crm:write", "erp:read"])(
    "a client may have the scope %s alone, and is granted it",
    async (scope) => {
      const client = await createClient(admin, [scope]);
      expect((await redeem(await allowed(admin, client))).body).toMatchObject({ scope });
    },
  );

  test("another scope than these three is refused", async () => {
    const client = {
      name: "Specification client",
      redirect_uris: ["https://app.example/callback"],
      scopes: ["crm:admin"],
    };
    expect((await admin.settings.post("/settings/clients", client)).status).toBe(400);
  });

  test("a scope lets its holder do what it says and no more", async () => {
    const read = await holderOf("crm:read");
    expect((await read.get("/accounts?limit=1")).status).toBe(200);
    expect((await read.post("/accounts", { name: "Refused" })).status).toBe(403);
    const write = await holderOf("crm:write");
    expect((await write.post("/accounts", { name: "Written" })).status).toBe(201);
    const erp = await holderOf("erp:read");
    expect((await erp.get("/products?limit=1")).status).toBe(200);
    expect((await erp.get("/accounts?limit=1")).status).toBe(403);
    expect((await erp.post("/products", { name: "Refused" })).status).toBe(403);
  });

  test("clients are not created or revoked through the documented API: a token opens neither", async () => {
    const client = await createClient(admin, ["crm:write"]);
    const api = bearer(await tokenFor(admin, client));
    const another = { name: "Another", redirect_uris: client.redirect_uris, scopes: client.scopes };
    for (const answer of [
      await api.post("/settings/clients", another),
      await api.delete(`/settings/clients/${client.id}`),
    ]) {
      expect([401, 403, 404]).toContain(answer.status);
    }
    const document = await api.must<{ paths: object }>("GET", "/openapi.json");
    expect(Object.keys(document.paths).filter((path) => /client/.test(path))).toEqual([]);
  });

  test("Settings, API and Create Client are pages of the UI", async () => {
    for (const [path, says] of [
      ["/settings/api", "API clients"],
      ["/settings/api/new", "Create client"],
    ] as const) {
      const response = await admin.browser.get(path);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(says);
    }
  });
});

describe("3. An OAuth client is revoked by an admin", () => {
  test("all access tokens issued to it are invalid immediately, and those of others are not", async () => {
    const [client, other] = [await createClient(admin, ["crm:read"]), await createClient(admin, ["crm:read"])];
    const tokens = [await tokenFor(admin, client), await tokenFor(admin, client)];
    const bystander = await tokenFor(admin, other);
    const statuses = () =>
      Promise.all([...tokens, bystander].map(async (token) => (await bearer(token).get("/accounts?limit=1")).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await admin.settings.delete(`/settings/clients/${client.id}`)).status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 200]);
  });

  test("a revoked client gets no further token, not even for a code that it has", async () => {
    const client = await createClient(admin, ["crm:read"]);
    const fields = await allowed(admin, client);
    await admin.settings.must("DELETE", `/settings/clients/${client.id}`);
    const answer = await redeem(fields);
    expect([400, 401]).toContain(answer.status);
    expect(answer.body).not.toHaveProperty("access_token");
  });
});
