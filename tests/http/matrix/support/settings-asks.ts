import { newId } from "@/lib/ids";
import { createSession } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import type { Ask, Take } from "@/tests/http/matrix/support/ask";
import { makeClient, makeGrant, makeMember, type Side } from "@/tests/http/matrix/support/side";

function client(take: Take): Promise<string> {
  return take("{id}", async (side) => (await makeClient(side)).id);
}

/** A member as a migration makes one: without an address, and disabled. */
async function inactiveMember(side: Side): Promise<string> {
  const id = await makeMember(side);
  await pool().query("UPDATE users SET email = $2 WHERE id = $1", [id, `${newId()}@${side.organizationId}.invalid`]);
  await pool().query("UPDATE memberships SET disabled_at = now() WHERE user_id = $1", [id]);
  return id;
}

const byMember = async (take: Take) => ({ path: { user_id: await take("{user_id}", makeMember) } });

const byClient = async (take: Take) => ({ path: { id: await client(take) } });

/** What stands in the e-mail address of a member of the side. */
async function partOfMember(side: Side): Promise<string> {
  await makeMember(side);
  return side.marker;
}

/** Both of the same client, unless one of the two belongs to the other side. */
async function oldSecret(take: Take) {
  const made = new Map<Side, ReturnType<typeof makeClient>>();
  const clientOf = (side: Side) => made.get(side) ?? made.set(side, makeClient(side)).get(side);
  const id = await take("{id}", async (side) => (await clientOf(side))?.id ?? "");
  return {
    path: { id, secret_id: await take("{secret_id}", async (side) => (await clientOf(side))?.secret_id ?? "") },
  };
}

/** A view of leads that the side's person shares. */
async function makeView({ organizationId, userId, marker }: Side): Promise<void> {
  await pool().query(
    `INSERT INTO saved_views (organization_id, user_id, resource, name, query, is_shared)
     VALUES ($1, $2, 'leads', $3, 'q=ada', true) ON CONFLICT DO NOTHING`,
    [organizationId, userId, `${marker} view`],
  );
}

function actor(side: Side): string {
  return side.userId;
}

/** Operations of admins, called as our own organization's admin. */
export const SETTINGS_ASKS: readonly Ask[] = [
  {
    route: "GET /settings/audit_events",
    way: "by user",
    places: ["?user_id"],
    build: async (take) => ({ query: { user_id: await take("?user_id", actor) } }),
  },
  {
    route: "GET /settings/audit_events",
    way: "by client",
    places: ["?client_id"],
    build: async (take) => ({
      query: { client_id: await take("?client_id", async (side) => (await makeClient(side)).id) },
    }),
  },
  {
    route: "GET /settings/audit_events",
    way: "by user, of several actions",
    places: ["?user_id"],
    build: async (take) => ({
      query: { user_id: await take("?user_id", actor), action: "sign_in.succeeded,client.created" },
    }),
  },
  { route: "GET /settings/clients", build: async () => ({}) },
  {
    route: "POST /settings/clients",
    build: async (_, { marker }) => ({
      body: { name: `${marker} new`, redirect_uris: ["https://client.example/"], scopes: ["crm:read"] },
    }),
  },
  { route: "GET /settings/clients/{id}", build: byClient },
  {
    route: "PATCH /settings/clients/{id}",
    build: async (take, { marker }) => ({ ...(await byClient(take)), body: { name: `${marker} renamed` } }),
  },
  { route: "DELETE /settings/clients/{id}", build: byClient },
  { route: "POST /settings/clients/{id}/rotate_secret", build: byClient },
  { route: "DELETE /settings/clients/{id}/secrets/{secret_id}", build: oldSecret },
  {
    route: "GET /settings/grants",
    build: async (_, side) => {
      await makeGrant(side);
      return {};
    },
  },
  { route: "DELETE /settings/grants/{id}", build: async (take) => ({ path: { id: await take("{id}", makeGrant) } }) },
  {
    route: "GET /settings/members",
    places: [],
    build: async (_, side) => {
      await makeMember(side);
      return {};
    },
  },
  {
    route: "GET /settings/members",
    way: "searched",
    places: ["?q"],
    build: async (take) => ({ query: { q: await take("?q", partOfMember) } }),
  },
  {
    route: "POST /settings/members",
    build: async (_, { marker }) => ({
      body: { name: `${marker} new`, email: `${marker}-${newId()}@example.com`, role: "member" },
    }),
  },
  {
    route: "PATCH /settings/members/{user_id}",
    way: "promoting",
    build: async (take) => ({ ...(await byMember(take)), body: { role: "admin" } }),
  },
  {
    route: "PATCH /settings/members/{user_id}",
    way: "disabling",
    build: async (take) => ({ ...(await byMember(take)), body: { is_disabled: true } }),
  },
  { route: "DELETE /settings/members/{user_id}", build: byMember },
  {
    route: "POST /settings/members/{user_id}/invite",
    build: async (take, { marker }) => ({
      path: { user_id: await take("{user_id}", inactiveMember) },
      body: { email: `${marker}-${newId()}@example.com` },
    }),
  },
  { route: "POST /settings/members/{user_id}/end_sessions", build: byMember },
  { route: "POST /settings/members/{user_id}/password_link", build: byMember },
  { route: "GET /settings/organization", build: async () => ({}) },
  {
    route: "PATCH /settings/organization",
    build: async (_, { marker }) => ({
      body: { name: `${marker} works`, currency: "EUR", time_zone: "Europe/Berlin" },
    }),
  },
  { route: "GET /settings/organization/export", build: async () => ({}) },
  { route: "GET /settings/organization/deletion", build: async () => ({}) },
  {
    route: "GET /settings/views",
    build: async (_, side) => {
      await makeView(side);
      return { query: { resource: "leads" } };
    },
  },
  {
    route: "PUT /settings/views",
    build: async (_, side) => {
      await makeView(side);
      return { body: { resource: "leads", views: [{ name: `${side.marker} new`, query: "q=ada", is_shared: true }] } };
    },
  },
  { route: "PATCH /settings/account", build: async (_, { marker }) => ({ body: { name: `${marker} Admin` } }) },
  {
    route: "GET /settings/sessions",
    build: async (_, side) => {
      await createSession(side);
      return {};
    },
  },
  {
    route: "DELETE /settings/sessions/{id}",
    build: async (take) => ({ path: { id: await take("{id}", createSession) } }),
  },
  { route: "POST /settings/sessions/end_others", build: async () => ({}) },
];
