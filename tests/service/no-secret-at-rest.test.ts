import { randomBytes } from "node:crypto";

import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

import { freePort } from "@/scripts/service/free-port";
import { type Dump, dumpDatabase } from "@/tests/service/support/database-dump";
import { type OwnService, startOwnService } from "@/tests/service/setup/own-service";
import { findInClear } from "@/tests/service/support/secret-search";
import { useEverySecret } from "@/tests/service/setup/use-every-secret";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

const APP_SECRET = process.env.APP_SECRET ?? "";

let org: RunningOrg;
let service: OwnService;
let secrets: Record<string, string>;
let dump: Dump;

beforeAll(async () => {
  const port = await freePort();
  org = await startSandboxOrg({ records: 200, redirectUris: [`http://localhost:${port}/migration/callback`] });
  service = await startOwnService(port, {
    APP_SECRET,
    LOG_LEVEL: "trace",
    ALLOW_PRIVATE_NETWORK: "true",
    SALESFORCE_CLIENT_ID: org.clientId,
    SALESFORCE_CLIENT_SECRET: org.clientSecret,
  });
  secrets = { APP_SECRET, ...(await useEverySecret(service, org)) };
  dump = await dumpDatabase(service.databaseUrl);
});

afterAll(async () => {
  await service?.stop();
  await org?.stop();
});

test("after every secret has been used, no value in the database contains one in the clear", () => {
  expect(findInClear(secrets, dump.cells)).toEqual([]);
});

test("web and worker printed no secret, at the most verbose log level", () => {
  expect(findInClear(secrets, [{ where: "printed", text: service.printed() }])).toEqual([]);
});

test("the search read every table, found values that are not secret, and had secrets of every kind", () => {
  expect(dump.tables.length).toBeGreaterThan(25);
  expect(dump.tables).toEqual(
    expect.arrayContaining(["public.users", "public.oauth_tokens", "public.audit_events", "public.connections"]),
  );
  expect(dump.cells.length).toBeGreaterThan(2000);
  const filled = new Set(dump.cells.map(({ where }) => where));
  const hidden = [
    "users.password_hash",
    "sessions.id",
    "oauth_client_secrets.secret_hash",
    "oauth_codes.code_hash",
    "oauth_tokens.token_hash",
  ];
  const encrypted = [
    "connections.access_token_enc",
    "connections.refresh_token_enc",
    "connection_attempts.code_verifier_enc",
    "webhooks.secret",
    "webhooks.previous_secret",
    "idempotency_keys.body",
  ];
  expect([...hidden, ...encrypted].filter((column) => !filled.has(`public.${column}`))).toEqual([]);
  expect(findInClear({ instance: org.instanceUrl }, dump.cells)).toContain(
    "instance: public.connections.ext_instance_url",
  );
  expect(findInClear({ address: service.baseUrl }, [{ where: "printed", text: service.printed() }])).toEqual([
    "address: printed",
  ]);
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(34);
  expect(Object.entries(secrets).filter(([, secret]) => secret.length < 12)).toEqual([]);
});

test("the search finds planted secrets in every type of column and every form", async () => {
  const planted = `planted-${randomBytes(16).toString("base64url")}`;
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query("CREATE SCHEMA planted");
  await client.query(
    "CREATE TABLE planted.here (as_text text, as_json jsonb, as_bytes bytea, in_list text[], as_hex text, " +
      "in_base64 text)",
  );
  const inBase64 = Buffer.from(`{"token":"${planted}"}`).toString("base64");
  const values = [
    `x${planted}x`,
    { deep: [planted] },
    Buffer.from(`\u0000\u00ff${planted}`),
    [planted],
    Buffer.from(planted).toString("hex"),
    inBase64,
  ];
  await client.query("INSERT INTO planted.here VALUES ($1, $2, $3, $4, $5, $6)", values);
  await client.end();
  const { cells } = await dumpDatabase(service.databaseUrl);
  const columns = ["as_bytes", "as_hex", "as_json", "as_text", "in_base64", "in_list"];
  expect(findInClear({ planted }, cells)).toEqual(columns.map((column) => `planted: planted.here.${column}`));
});
