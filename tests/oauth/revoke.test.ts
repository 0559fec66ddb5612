import { expect, test } from "vitest";

import { pool } from "@/tests/support/owner";
import { untilWindowLasts } from "@/tests/support/throttle-window";

import {
  type Arranged,
  arrange,
  BASE_URL,
  callApi,
  exchange,
  obtainToken,
  register,
} from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";

interface AuditRow {
  action: string;
  address: string;
  user_id: string | null;
  client_id: string;
}

function revoke(
  { client }: Pick<Arranged, "client">,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { client_id, client_secret } = client;
  return send(`${BASE_URL}/oauth/revoke`, {
    method: "POST",
    headers,
    body: new URLSearchParams({ client_id, client_secret, ...fields }),
  });
}

async function auditOf({ organizationId }: Arranged, action: string): Promise<AuditRow[]> {
  const text = `SELECT action, address, user_id, client_id FROM audit_events
    WHERE organization_id = $1 AND action = $2 ORDER BY id`;
  return (await pool().query<AuditRow>(text, [organizationId, action])).rows;
}

const FROM = { "x-forwarded-for": "203.0.113.20" };

test("a revoked token stops with the next request, other tokens do not, and it is recorded once", async () => {
  const arranged = await arrange();
  const [token, other] = [await obtainToken(arranged), await obtainToken(arranged)];
  const answers = [await revoke(arranged, { token }, FROM), await revoke(arranged, { token }, FROM)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect([(await callApi(token)).status, (await callApi(other)).status]).toEqual([401, 200]);
  const { userId: user_id, client } = arranged;
  expect(await auditOf(arranged, "token.revoked")).toEqual([
    { action: "token.revoked", address: "203.0.113.20", user_id, client_id: client.id },
  ]);
});

test("the revocation of an expired, unknown or another client's token is not recorded", async () => {
  const arranged = await arrange();
  const token = await obtainToken(arranged);
  const other = await register(arranged, "Other");
  const refused = await revoke({ client: other }, { token });
  expect(await refused.json()).toMatchObject({ error: "invalid_grant" });
  await pool().query("UPDATE oauth_tokens SET expires_at = now() WHERE user_id = $1", [arranged.userId]);
  expect((await revoke(arranged, { token })).status).toBe(200);
  expect((await revoke(arranged, { token: "unknown" })).status).toBe(200);
  expect(await auditOf(arranged, "token.revoked")).toEqual([]);
});

test("a token revoked by sixteen requests at once is recorded once", async () => {
  const arranged = await arrange();
  const token = await obtainToken(arranged);
  const answers = await Promise.all(Array.from({ length: 16 }, () => revoke(arranged, { token })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await auditOf(arranged, "token.revoked")).toHaveLength(1);
});

test("a wrong secret of a live or revoked client is recorded, at either endpoint", async () => {
  const arranged = await arrange();
  await exchange(arranged, "any", { fields: { client_secret: "wrong" }, headers: FROM });
  await revoke(arranged, { token: "any", client_secret: "wrong" }, FROM);
  await pool().query("UPDATE oauth_clients SET revoked_at = now() WHERE id = $1", [arranged.client.id]);
  await exchange(arranged, "any", { headers: FROM });
  const refusal = { action: "client.refused", address: "203.0.113.20", user_id: null, client_id: arranged.client.id };
  await expect.poll(() => auditOf(arranged, "client.refused")).toEqual([refusal, refusal, refusal]);
});

test("the right secret records no refusal", async () => {
  const arranged = await arrange();
  await exchange(arranged, "any");
  // A later refusal of the same organization is recorded, so an earlier one would be as well.
  await exchange(arranged, "any", { fields: { client_secret: "wrong" } });
  await expect.poll(() => auditOf(arranged, "client.refused")).toHaveLength(1);
});

test("both endpoints count wrong secrets together, and the revocation endpoint makes a guesser wait too", async () => {
  await untilWindowLasts(5 * 60);
  const arranged = await arrange();
  const headers = { "x-forwarded-for": "203.0.113.21" };
  for (let attempt = 0; attempt < 20; attempt += 1)
    await exchange(arranged, "any", { fields: { client_secret: "wrong" }, headers });
  const throttled = await revoke(arranged, { token: "any" }, headers);
  expect([throttled.status, Number(throttled.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await throttled.json()).toMatchObject({ error: "temporarily_unavailable" });
});
