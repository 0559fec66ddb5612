import { randomBytes } from "node:crypto";
import { afterEach, beforeAll, afterAll, expect, test } from "vitest";

import { recallForm, rememberForm } from "@/app/form-memory";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { claimKey, storeResponse } from "@/lib/http/api/idempotency-store";
import { newId } from "@/lib/ids";
import { consentToken, isConsentToken } from "@/lib/oauth/authorization/consent";
import { query } from "@/lib/salesforce/query";
import { decrypt, encrypt } from "@/lib/security/crypto";
import { ENCRYPTED_COLUMNS, reencrypt } from "@/lib/security/reencrypt";
import { openSessionId, sealSessionId, deviceCookie, knownDevice } from "@/lib/sessions/browser-sessions/cookies";
import { rotateSecret } from "@/lib/webhooks/endpoints/rotate-secret";
import { openSecret } from "@/lib/webhooks/sending/signing";
import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { beginSignIn, CALLBACK, comeBack, connectionIn, decide } from "@/tests/migration/support/oauth-browser";
import { createMigration } from "@/tests/migration/support/run-migration";
import { openConnection, openMigrationSource } from "@/tests/migration/support/within";
import { run } from "@/tests/records/support/write-operations";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { openWebhook } from "@/tests/webhooks/support/own-webhook";
import { pool } from "@/tests/support/owner";

const OLD = "the-old-secret-that-is-long-enough-0123456789";
const NEW = "the-new-secret-that-is-long-enough-0123456789";
const GIVEN = { APP_SECRET: env.APP_SECRET, APP_SECRET_PREVIOUS: env.APP_SECRET_PREVIOUS };

let org: RunningOrg;

beforeAll(async () => {
  recordJobs();
  org = await startSandboxOrg({ records: 100, redirectUris: [CALLBACK], rotateRefreshTokens: true });
  Object.assign(env, { SALESFORCE_CLIENT_ID: org.clientId, SALESFORCE_CLIENT_SECRET: org.clientSecret });
});
afterAll(() => org.stop());
afterEach(() => void Object.assign(env, GIVEN));

function setSecrets(present: string, ...previous: string[]): void {
  Object.assign(env, { APP_SECRET: present, APP_SECRET_PREVIOUS: previous });
}

/** Every encrypted value of a new organization, and how each is used. */
async function useEverything() {
  const context = await createContext();
  const { organizationId } = context;
  const api = new MigrationApi(await createAccessToken(context));
  const connectionId = connectionIn(await comeBack(await decide(await beginSignIn(api, org.instanceUrl)), context));
  const begun = await beginSignIn(api, org.instanceUrl);
  const webhook = await openWebhook(context, { url: "https://hooks.example/", generate_secret: true });
  const rotated = String((await run(rotateSecret, context, { id: webhook.webhookId })).secret);
  const digest = { organizationId, key: randomBytes(32), body: randomBytes(32) };
  const attempt = newId();
  await inOrganization(digest.organizationId, () => claimKey(digest, attempt));
  const kept = { status: 201, headers: {}, body: '{"secret":"shown once"}' };
  await inOrganization(digest.organizationId, () => storeResponse(digest, attempt, kept));

  const webhookSecrets = async () => {
    const text = "SELECT secret, previous_secret FROM webhooks WHERE organization_id = $1 AND id = $2";
    const { rows } = await pool().query<Record<"secret" | "previous_secret", Buffer>>(text, [
      organizationId,
      webhook.webhookId,
    ]);
    return (["secret", "previous_secret"] as const).map((column) =>
      openSecret(webhook, column, rows[0]?.[column] ?? Buffer.of()),
    );
  };
  return {
    context,
    /** Ends the access token, so that the refresh token is used too. */
    readOrg: async () => {
      await org.expireSessions();
      return (await query(await openConnection(organizationId, connectionId), "SELECT Id FROM Account LIMIT 1"))
        .totalSize;
    },
    webhookSecrets,
    expectedSecrets: [rotated, webhook.secret],
    storedResponse: () => inOrganization(digest.organizationId, () => claimKey(digest, newId())),
    finishSignIn: async () => comeBack(await decide(begun), context),
  };
}

/** Every stored value, by its secret. */
async function keysInUse(): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { table, column } of ENCRYPTED_COLUMNS) {
    const text = `SELECT encode(substring(${column} FROM 1 FOR 8), 'hex') AS id FROM ${table}
      WHERE ${column} IS NOT NULL`;
    for (const { id } of (await pool().query<{ id: string }>(text)).rows) found.add(id);
  }
  return found;
}

async function deleteEverything(): Promise<void> {
  await pool().query("TRUNCATE connections, connection_attempts, webhooks, idempotency_keys CASCADE");
}

test("everything stored stays readable through a rotation, and then needs no old secret", async () => {
  await deleteEverything();
  setSecrets(OLD);
  const world = await useEverything();
  setSecrets(NEW, OLD);
  expect(await world.webhookSecrets()).toEqual(world.expectedSecrets);
  // Renewed tokens are stored under the new secret; values that are only read stay under the old one.
  expect(await world.readOrg()).toBe(1);
  expect((await keysInUse()).size).toBe(2);
  const outcomes = await reencrypt();
  expect(outcomes.map(({ name, done, undecryptable }) => [name, done, undecryptable])).toEqual([
    ["connections.access_token_enc", 0, 0],
    ["connections.refresh_token_enc", 0, 0],
    ["connection_attempts.code_verifier_enc", 1, 0],
    ["webhooks.secret", 1, 0],
    ["webhooks.previous_secret", 1, 0],
    ["idempotency_keys.body", 1, 0],
  ]);
  expect((await keysInUse()).size).toBe(1);
  setSecrets(NEW);
  expect(await world.webhookSecrets()).toEqual(world.expectedSecrets);
  expect(await world.readOrg()).toBe(1);
  expect(await world.storedResponse()).toMatchObject({
    state: "replayable",
    response: { body: '{"secret":"shown once"}' },
  });
  expect(connectionIn(await world.finishSignIn())).toMatch(/^[0-9a-f-]{36}$/);
  expect((await reencrypt()).every(({ done, undecryptable }) => done + undecryptable === 0)).toBe(true);
});

test("several processes first learn the new secret, then use it: each reads every value", async () => {
  await deleteEverything();
  setSecrets(OLD, NEW);
  const world = await useEverything();
  setSecrets(NEW, OLD);
  expect(await world.readOrg()).toBe(1);
  setSecrets(OLD, NEW);
  expect(await world.readOrg()).toBe(1);
});

test("without the old secret each use is refused with a remedy, and nothing crashes", async () => {
  await deleteEverything();
  setSecrets(OLD);
  const world = await useEverything();
  setSecrets(NEW);
  await expect(world.readOrg()).rejects.toMatchObject({
    code: "source_token_refused",
    message: expect.stringMatching(/Connect the org again, or .* earlier APP_SECRET/),
  });
  expect(await world.webhookSecrets()).toEqual([null, null]);
  await expect(world.storedResponse()).rejects.toMatchObject({
    code: "idempotency_key_reused",
    message: expect.stringContaining("has been carried out"),
  });
  expect((await world.finishSignIn()).reason).toContain("Connect again.");
  const outcomes = await reencrypt();
  expect(outcomes.map(({ undecryptable }) => undecryptable)).toEqual([1, 1, 0, 1, 1, 1]);
  // The attempts changed nothing: with the old secret all of it works again.
  setSecrets(NEW, OLD);
  expect(await world.readOrg()).toBe(1);
});

test("a failed decryption names the missing key for the operator", () => {
  setSecrets(OLD);
  const sealed = encrypt(["webhooks.secret", "o", "w"], "text");
  setSecrets(NEW);
  expect(() => decrypt(["webhooks.secret", "o", "w"], sealed)).toThrow(
    /secret that is not set \(key [0-9a-f]{16}\).*APP_SECRET_PREVIOUS.*docs\/security\.md/,
  );
});

test.each([
  ["another row", ["connections.access_token_enc", "org", "other"]],
  ["another organization", ["connections.access_token_enc", "other", "row"]],
  ["another column", ["connections.refresh_token_enc", "org", "row"]],
] as const)("a ciphertext does not decrypt in %s; it did in any row", (_, place) => {
  const sealed = encrypt(["connections.access_token_enc", "org", "row"], "token");
  expect(decrypt(["connections.access_token_enc", "org", "row"], sealed)).toBe("token");
  expect(() => decrypt(place, sealed)).toThrow(/belongs to another row or column/);
});

test("tokens copied from another organization's connection cannot be used", async () => {
  const [ours, theirs] = [await createMigration(), await createMigration()];
  const copy = `UPDATE connections SET access_token_enc = (
    SELECT access_token_enc FROM connections WHERE organization_id = $2)
      WHERE organization_id = $1`;
  await pool().query(copy, [ours.organizationId, theirs.organizationId]);
  await expect(openMigrationSource(ours)).rejects.toMatchObject({
    code: "source_token_refused",
  });
  await openMigrationSource(theirs);
});

test.each([8, 20, 36])("a value cut to %i bytes, or changed, is refused", (length) => {
  const sealed = encrypt(["form-memory", "/setup"], "text");
  expect(() => decrypt(["form-memory", "/setup"], sealed.subarray(0, length - 1))).toThrow(/not set|was changed/);
  const changed = Buffer.from(sealed);
  changed.writeUInt8((changed.at(length) ?? 0) ^ 1, length);
  expect(() => decrypt(["form-memory", "/setup"], changed)).toThrow(/was changed/);
});

test("a value that changes during reencryption keeps its new content", async () => {
  await deleteEverything();
  setSecrets(OLD);
  const world = await useEverything();
  setSecrets(NEW, OLD);
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM webhooks WHERE organization_id = $1", [
    world.context.organizationId,
  ]);
  const rotations = (async () => {
    let secret = "";
    for (let turn = 0; turn < 10; turn += 1)
      secret = String((await run(rotateSecret, world.context, { id: rows[0]?.id })).secret);
    return secret;
  })();
  await Promise.all([rotations, reencrypt(), reencrypt()]);
  expect((await world.webhookSecrets())[0]).toBe(await rotations);
  setSecrets(NEW);
  expect((await world.webhookSecrets())[0]).toBe(await rotations);
});

test("cookies and forms of the old secret are valid until it is removed, and then end cleanly", async () => {
  setSecrets(OLD);
  const sessionId = newId();
  const session = await sealSessionId(sessionId);
  const consent = consentToken("session", "request");
  const userId = newId();
  const device = /=([^;]*)/.exec(deviceCookie(userId, null))?.[1] ?? "";
  const form = /=([^;]*)/.exec(rememberForm("/setup", { values: { name: "Ada" }, faults: {} }))?.[1];
  const nothing = { values: {}, faults: {} };
  expect(recallForm("/sign-in", form)).toEqual(nothing);
  setSecrets(NEW, OLD);
  expect(await openSessionId(session)).toBe(sessionId);
  expect(isConsentToken(consent, "session", "request")).toBe(true);
  expect(knownDevice(device, userId)).not.toBeNull();
  expect(recallForm("/setup", form).values).toEqual({ name: "Ada" });
  setSecrets(NEW);
  expect(await openSessionId(session)).toBeNull();
  expect(isConsentToken(consent, "session", "request")).toBe(false);
  expect(knownDevice(device, userId)).toBeNull();
  expect(recallForm("/setup", form)).toEqual(nothing);
});

test("every column of bytes is a digest, or is reencrypted by a rotation", async () => {
  const text = `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name !~ '_(?:hash|digest)$'`;
  const found = (await pool().query<{ name: string }>(text)).rows.map(({ name }) => name);
  // Scripts and styles that every browser gets.
  const open = "static_files.content";
  const encrypted = ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(found.toSorted()).toEqual([...encrypted, open].toSorted());
});
