import type { IncomingMessage, ServerResponse } from "node:http";

import { afterEach, expect, test } from "vitest";

import { purgeConnections } from "@/lib/migration/connections/supersede-connections";
import { openClient } from "@/lib/salesforce/client";
import { analyze } from "@/tests/migration/support/analyze-org";
import { problemIn } from "@/tests/migration/support/api-service";
import { useSandboxApi } from "@/tests/migration/support/sandbox-api";
import { startHost, stopHosts } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";

const here = useSandboxApi();

afterEach(stopHosts);

/** Another host that gives the same answers as the org, including its id and that of its user. */
function startImpostor(): Promise<string> {
  return startHost((request, response) => void repeat(request, response));
}

async function repeat({ url, headers: { authorization } }: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(`${here.org.instanceUrl}${url}`, { headers: authorization ? { authorization } : {} });
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
}

async function connect(body: object): Promise<string> {
  const answer = await here.api.post("/migration/analyze", body);
  expect(answer.status).toBe(202);
  const migrationId = String(answer.body.migration_id);
  await analyze({ organizationId: here.organizationId, migrationId });
  return migrationId;
}

function byToken(ext_instance_url: string): object {
  return { ext_instance_url, ext_access_token: here.org.accessToken };
}

async function connectionOf(
  migrationId: string,
): Promise<{ id: string; ext_instance_url: string; source_org_id: string }> {
  const { rows } = await pool().query<{ id: string; ext_instance_url: string; source_org_id: string }>(
    `SELECT c.id, c.ext_instance_url, c.source_org_id FROM connections c JOIN migrations m ON m.connection_id = c.id
      WHERE m.id = $1`,
    [migrationId],
  );
  if (!rows[0]) throw new Error("The migration has no connection.");
  return rows[0];
}

test("another host that claims the id of an org does not get its migrations", async () => {
  const earlier = await connect(byToken(here.org.instanceUrl));
  const claimed = await connect(byToken(await startImpostor()));
  const [own, foreign] = [await connectionOf(earlier), await connectionOf(claimed)];
  expect(foreign.source_org_id).toBe(own.source_org_id);
  expect(own.ext_instance_url).toBe(here.org.instanceUrl);
});

test("the purge ends earlier connections to an org even if a newer one of another host claims its id", async () => {
  const earlier = await connect(byToken(here.org.instanceUrl));
  await pool().query("UPDATE migrations SET status = 'running' WHERE id = $1", [earlier]);
  const { id: ended } = await connectionOf(earlier);
  const latest = await connect(byToken(here.org.instanceUrl));
  await pool().query("UPDATE migrations SET status = 'completed' WHERE id = $1", [earlier]);
  const claimed = await connect(byToken(await startImpostor()));
  await purgeConnections();
  expect((await connectionOf(earlier)).id).toBe((await connectionOf(latest)).id);
  expect((await connectionOf(claimed)).ext_instance_url).not.toBe(here.org.instanceUrl);
  const { rowCount } = await pool().query("SELECT FROM connections WHERE id = $1 AND access_token_enc IS NULL", [
    ended,
  ]);
  expect(rowCount).toBe(1);
});

test("the same host gives its new tokens to earlier migrations", async () => {
  const earlier = await connect(byToken(here.org.instanceUrl));
  const latest = await connect(byToken(here.org.instanceUrl));
  expect((await connectionOf(earlier)).id).toBe((await connectionOf(latest)).id);
});

test("a migration whose host now claims to be another org is not run", async () => {
  const migrationId = await connect(byToken(here.org.instanceUrl));
  const { id: connection_id } = await connectionOf(migrationId);
  const client = openClient({
    instanceUrl: here.org.instanceUrl,
    accessToken: here.org.accessToken,
    apiVersion: "67.0",
  });
  const { identity } = JSON.parse((await client.request(client.dataPath)).text) as { identity: string };
  const user = identity.split("/").at(-1);
  await here.org.setRules([
    {
      pathPattern: "^/services/data/v[0-9.]+$",
      status: 200,
      body: { identity: `${here.org.instanceUrl}/id/00D000000000999AAA/${user}` },
    },
  ]);
  const newer = await connect({ connection_id });
  const refused = problemIn(await here.api.post("/migration/run", { migration_id: migrationId }));
  expect(refused).toMatchObject({
    status: 409,
    code: "conflict",
    detail: expect.stringMatching(/is now another Salesforce org.*Analyze again/),
  });
  expect((await here.api.post("/migration/run", { migration_id: newer })).status).toBe(202);
});
