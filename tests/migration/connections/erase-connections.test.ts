import { createServer } from "node:http";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import type { Context } from "@/lib/context";
import { prisma } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { eraseConnections } from "@/lib/migration/connections/erase-connections";
import { connectionRow } from "@/lib/migration/connections/stored-connection";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { beginSignIn, CALLBACK, comeBack, connectionIn, decide } from "@/tests/migration/support/oauth-browser";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { listen } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let context: Context;
let connectionId: string;

beforeEach(async () => {
  org = await startSandboxOrg({ records: 100, redirectUris: [CALLBACK] });
  Object.assign(env, { SALESFORCE_CLIENT_ID: org.clientId, SALESFORCE_CLIENT_SECRET: org.clientSecret });
  context = await createContext();
  recordJobs();
  const api = new MigrationApi(await createAccessToken(context));
  connectionId = connectionIn(await comeBack(await decide(await beginSignIn(api, org.instanceUrl)), context));
  return () => org.stop();
});

function erase(isLastAttempt: boolean): Promise<void> {
  return inOrganization(context.organizationId, () => eraseConnections(context.organizationId, isLastAttempt));
}

async function hasTokens(): Promise<boolean> {
  const text = "SELECT FROM connections WHERE id = $1 AND num_nonnulls(access_token_enc, refresh_token_enc) > 0";
  return (await pool().query(text, [connectionId])).rowCount === 1;
}

/** Stores connections of a host that answers each revocation, after a while, with more than is read and no end. */
async function connectMany(count: number): Promise<{ most: () => number; answered: () => number }> {
  let [open, most, answered] = [0, 0, 0];
  const server = createServer((_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      answered += 1;
      response.write("x".repeat(17 * 1024));
    }, 20);
  });
  const instanceUrl = await listen(server);
  onTestFinished(() => server.close().closeAllConnections());
  const source = {
    instanceUrl,
    apiVersion: "67.0",
    orgId: null,
    orgName: null,
    userId: null,
    username: null,
    isSandbox: null,
  };
  for (let n = 0; n < count; n += 1) {
    const data = connectionRow(context, source, { accessToken: `token-${n}`, loginUrl: null });
    await inOrganization(context.organizationId, () => prisma().connections.create({ data }));
  }
  return { most: () => most, answered: () => answered };
}

async function revocations(): Promise<number> {
  return (await org.stats()).requests["POST /services/oauth2/revoke"] ?? 0;
}

test("access is revoked before it is deleted, and stays while Salesforce is not available", async () => {
  await org.setRules([{ path: "/services/oauth2/revoke", status: 503, body: "<html>Down for maintenance</html>" }]);
  await expect(erase(false)).rejects.toMatchObject({ transient: true });
  expect([await hasTokens(), await revocations()]).toEqual([true, 1]);
  await org.setRules([]);
  await erase(false);
  expect([await hasTokens(), await revocations()]).toEqual([false, 2]);
});

test("access that Salesforce refuses to revoke is deleted at once", async () => {
  await org.setRules([{ path: "/services/oauth2/revoke", status: 400, body: { error: "unsupported_token_type" } }]);
  await erase(false);
  expect(await hasTokens()).toBe(false);
});

test("access to an org that stays out of reach is deleted by the last attempt", async () => {
  await org.stop();
  await expect(erase(false)).rejects.toMatchObject({ transient: true });
  expect(await hasTokens()).toBe(true);
  await erase(true);
  expect(await hasTokens()).toBe(false);
});

test("twenty connections are revoked at a time, and those of other orgs although one is away", async () => {
  const host = await connectMany(45);
  await org.setRules([{ path: "/services/oauth2/revoke", status: 503, body: "<html>Down for maintenance</html>" }]);
  await expect(erase(false)).rejects.toMatchObject({ transient: true });
  expect([host.answered(), host.most()]).toEqual([45, 20]);
  const { rows } = await pool().query(
    "SELECT id FROM connections WHERE organization_id = $1 AND access_token_enc IS NOT NULL",
    [context.organizationId],
  );
  expect(rows).toEqual([{ id: connectionId }]);
});
