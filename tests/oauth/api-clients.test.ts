import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { endClientSecret, rotateClientSecret } from "@/lib/oauth/clients/client-secrets";
import { getClient, listClients } from "@/lib/oauth/clients/read-clients";
import { createClient } from "@/lib/oauth/clients/register-client";
import { revokeClient } from "@/lib/oauth/clients/revoke-client";
import { updateClient } from "@/lib/oauth/clients/update-client";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { arrange, accessTokenOf, callApi, exchange, obtainCode, obtainToken } from "@/tests/oauth/support/fixtures";

const REGISTRATION = {
  name: "Reporting",
  redirect_uris: ["https://client.example/callback"],
  scopes: ["crm:read"] as const,
};

async function run<Output>(operation: Operation, context: Context, input: unknown): Promise<Output> {
  return valueOf(await execute(operation, context, input)) as Output;
}

/** The code of a refusal; "accepted" when there is none. */
function codeOf(outcome: Promise<unknown>): Promise<string> {
  return outcome.then(
    () => "accepted",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

interface Client {
  version: number;
  id: string;
  client_id: string;
  client_secret: string;
  redirect_uris: string[];
  secrets: { id: string; expires_at: string | null }[];
  live_tokens: number;
  allowed_by: number;
}

/** The context of the arranged admin, as on the settings page. */
function adminOf({ organizationId, userId }: { organizationId: string; userId: string }): Context {
  return {
    requestId: newId(),
    organizationId,
    userId,
    role: "admin",
    clientId: null,
    scopes: new Set(),
    address: "192.0.2.1",
  };
}

test("a client is registered with a secret that no later response contains", async () => {
  const context = await createContext();
  const { client_secret, ...client } = await run<Client>(createClient, context, REGISTRATION);
  expect(client.client_id).toMatch(/^crm_[0-9a-f]{24}$/);
  expect(client_secret).toMatch(/^crm_secret_[\w-]{43}$/);
  const later = [await run(getClient, context, { id: client.id }), await run(listClients, context, {})];
  expect(later[0]).toEqual(client);
  expect(JSON.stringify(later)).not.toContain(client_secret);
});

test.each([
  ["members", { role: "member" as const }],
  ["access tokens", { clientId: newId() }],
])("%s see and change nothing of the clients", async (_, change) => {
  const admin = await createContext();
  const { id } = await run<Client>(createClient, admin, REGISTRATION);
  const calls: [Operation, object][] = [
    [createClient, REGISTRATION],
    [listClients, {}],
    [getClient, { id }],
    [updateClient, { id, name: "Other" }],
    [rotateClientSecret, { id }],
    [endClientSecret, { id, secret_id: newId() }],
    [revokeClient, { id }],
  ];
  const refusals = await Promise.all(
    calls.map(([operation, input]) => codeOf(run(operation, { ...admin, ...change }, input))),
  );
  expect(refusals).toEqual(calls.map(() => "forbidden"));
});

test("another organization's client is not found by any operation", async () => {
  const { id } = await run<Client>(createClient, await createContext(), REGISTRATION);
  const stranger = await createContext();
  const secret_id = newId();
  const calls: [Operation, object][] = [
    [getClient, { id }],
    [updateClient, { id, name: "Mine" }],
    [rotateClientSecret, { id }],
    [endClientSecret, { id, secret_id }],
    [revokeClient, { id }],
    [revokeClient, { id: "no-id" }],
  ];
  const refusals = await Promise.all(calls.map(([operation, input]) => codeOf(run(operation, stranger, input))));
  expect(refusals).toEqual(calls.map(() => "not_found"));
  expect(await run(listClients, stranger, {})).toMatchObject({ data: [] });
});

test("removing a redirect URI stops a pending consent and an issued code for it", async () => {
  const arranged = await arrange();
  const code = await obtainCode(arranged);
  await run(updateClient, adminOf(arranged), {
    id: arranged.client.id,
    redirect_uris: ["https://client.example/other"],
  });
  const answer = await exchange(arranged, code);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: "invalid_grant" });
});

test("two admins can edit different fields at once", async () => {
  const context = await createContext();
  const { id } = await run<Client>(createClient, context, REGISTRATION);
  const redirect_uris = ["https://client.example/other"];
  await Promise.all([
    run(updateClient, context, { id, name: "Renamed" }),
    run(updateClient, context, { id, redirect_uris }),
  ]);
  expect(await run(getClient, context, { id })).toMatchObject({ name: "Renamed", redirect_uris });
});

test("of two admins who edit the same version at once, the second is refused and undoes nothing", async () => {
  const context = await createContext();
  const { id, redirect_uris, version } = await run<Client>(createClient, context, REGISTRATION);
  const expecting = { ...context, preconditions: { ifMatch: [{ isWeak: false, tag: String(version) }] } };
  const edits = ["https://client.example/first", "https://client.example/second"].map((added) =>
    run<Client>(updateClient, expecting, { id, redirect_uris: [...redirect_uris, added] }),
  );
  const [made, refused] = (await Promise.allSettled(edits)).toSorted((a) => (a.status === "fulfilled" ? -1 : 1));
  const now = await run<Client>(getClient, context, { id });
  expect(made).toMatchObject({
    status: "fulfilled",
    value: { redirect_uris: now.redirect_uris, version: version + 1 },
  });
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "precondition_failed" } });
});

test("rotating, ending and revoking are refused for an old version, and raise none", async () => {
  const context = await createContext();
  const created = await run<Client>(createClient, context, REGISTRATION);
  const { id, version } = await run<Client>(updateClient, context, { id: created.id, name: "Renamed" });
  expect(version).toBe(created.version + 1);
  const outdated = { ...context, preconditions: { ifMatch: [{ isWeak: false, tag: String(created.version) }] } };
  const calls: [Operation, object][] = [
    [rotateClientSecret, { id }],
    [endClientSecret, { id, secret_id: newId() }],
    [revokeClient, { id }],
  ];
  const refusals = await Promise.all(calls.map(([operation, input]) => codeOf(run(operation, outdated, input))));
  expect(refusals).toEqual(calls.map(() => "precondition_failed"));
  expect(await run(rotateClientSecret, context, { id })).toMatchObject({ version });
});

test("an edit that changes nothing leaves no trace in the audit log", async () => {
  const context = await createContext();
  const { id } = await run<Client>(createClient, context, REGISTRATION);
  await run(updateClient, context, { id, name: REGISTRATION.name, redirect_uris: REGISTRATION.redirect_uris });
  const { rows } = await pool().query("SELECT action FROM audit_events WHERE client_id = $1", [id]);
  expect(rows).toEqual([{ action: "client.created" }]);
});

test("both secrets work during a rotation, the old one until its overlap ends", async () => {
  const arranged = await arrange();
  const admin = adminOf(arranged);
  const rotated = await run<Client>(rotateClientSecret, admin, { id: arranged.client.id, overlap_hours: 24 });
  const withNew = { client: { ...arranged.client, client_secret: rotated.client_secret } };
  expect((await exchange(arranged, await obtainCode(arranged))).status).toBe(200);
  expect((await exchange(withNew, await obtainCode(arranged))).status).toBe(200);

  const old = rotated.secrets.find(({ expires_at }) => expires_at !== null);
  await run(endClientSecret, admin, { id: arranged.client.id, secret_id: old?.id });
  expect((await exchange(arranged, await obtainCode(arranged))).status).toBe(401);
  expect((await exchange(withNew, await obtainCode(arranged))).status).toBe(200);
});

test("a client has at most five secrets that work, and no others are kept", async () => {
  const context = await createContext();
  const { id } = await run<Client>(createClient, context, REGISTRATION);
  for (let rotation = 1; rotation < 5; rotation++) await run(rotateClientSecret, context, { id });
  expect(await codeOf(run(rotateClientSecret, context, { id }))).toBe("conflict");
  expect((await run<Client>(getClient, context, { id })).secrets).toHaveLength(5);
  await run(rotateClientSecret, context, { id, overlap_hours: 0 });
  expect((await run<Client>(getClient, context, { id })).secrets).toHaveLength(1);
  expect((await pool().query("SELECT FROM oauth_client_secrets WHERE client_id = $1", [id])).rowCount).toBe(1);
});

test("the newest secret cannot be ended, only replaced", async () => {
  const context = await createContext();
  const client = await run<Client>(createClient, context, REGISTRATION);
  const input = { id: client.id, secret_id: client.secrets[0]?.id };
  await expect(run(endClientSecret, context, input)).rejects.toMatchObject({ code: "not_found" });
});

test("revoking a client stops tokens, codes and secrets at once, and reports how many tokens", async () => {
  const arranged = await arrange();
  const token = await obtainToken(arranged);
  const code = await obtainCode(arranged);
  expect((await callApi(token)).status).toBe(200);
  const before = await run<Client>(getClient, adminOf(arranged), { id: arranged.client.id });
  expect(before).toMatchObject({ live_tokens: 1, allowed_by: 1 });

  const revoked = await run(revokeClient, adminOf(arranged), { id: arranged.client.id });
  expect(revoked).toEqual({ id: arranged.client.id, revoked: true, tokens_stopped: 1, webhooks_switched_off: 0 });
  expect((await callApi(token)).status).toBe(401);
  expect((await exchange(arranged, code)).status).toBe(401);
  await expect(run(getClient, adminOf(arranged), { id: arranged.client.id })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("every change of a client is in the audit log, with actor and address, and without a secret", async () => {
  const arranged = await arrange();
  const admin = adminOf(arranged);
  const id = arranged.client.id;
  await run(updateClient, admin, { id, name: "Renamed" });
  const { client_secret } = await run<Client>(rotateClientSecret, admin, { id });
  await run(revokeClient, admin, { id });
  const { rows } = await pool().query("SELECT * FROM audit_events WHERE client_id = $1 ORDER BY id", [id]);
  expect(rows.map(({ action }) => action)).toEqual([
    "client.created",
    "client.updated",
    "client.secret_rotated",
    "client.revoked",
  ]);
  expect(rows[1]).toMatchObject({ user_email: arranged.email, client_name: "Renamed", address: "192.0.2.1" });
  expect(rows[1].details).toMatchObject({ before: { name: "Reporting" }, after: { name: "Renamed" } });
  expect(JSON.stringify(rows)).not.toContain(client_secret);
});

test("nobody can change or delete a row of the audit log", async () => {
  await createContext().then((context) => run(createClient, context, REGISTRATION));
  for (const sql of [
    "UPDATE audit_events SET action = 'sign_out'",
    "DELETE FROM audit_events",
    "TRUNCATE audit_events",
  ]) {
    await expect(pool().query(sql)).rejects.toThrow("append-only");
  }
});

test("the tokens of a disabled user are neither counted as live nor as stopped", async () => {
  const arranged = await arrange();
  await obtainToken(arranged);
  await pool().query("UPDATE memberships SET disabled_at = now() WHERE user_id = $1", [arranged.userId]);
  expect(await run(getClient, adminOf(arranged), { id: arranged.client.id })).toMatchObject({ live_tokens: 0 });
  expect(await run(revokeClient, adminOf(arranged), { id: arranged.client.id })).toMatchObject({ tokens_stopped: 0 });
});

test("a code whose grant is revoked before its use gives no token", async () => {
  const arranged = await arrange();
  const code = await obtainCode(arranged);
  await pool().query("DELETE FROM oauth_grants WHERE user_id = $1", [arranged.userId]);
  expect(await accessTokenOf(await exchange(arranged, code))).toBe("");
});
