import { expect, test } from "vitest";

import { recordAudit } from "@/lib/security/audit";
import { createAccessToken } from "@/tests/support/factories";

import { pool } from "@/tests/support/owner";
import { callRoute } from "@/tests/http/support/call-route";
import { stateOf } from "@/tests/http/matrix/support/kept";
import { createSides, makeGrant, makeMember } from "@/tests/http/matrix/support/side";

test("grants of a person in another organization are neither shown nor revoked in this one", async () => {
  const { ours, theirs } = await createSides();
  const own = await makeGrant(ours);
  await pool().query(
    "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, 'admin', now())",
    [theirs.organizationId, ours.userId],
  );
  await createAccessToken({ ...theirs.context, userId: ours.userId });
  const text = "SELECT id FROM oauth_grants WHERE organization_id = $1 AND user_id = $2";
  const { rows } = await pool().query<{ id: string }>(text, [theirs.organizationId, ours.userId]);
  const before = await stateOf(theirs);

  const list = JSON.parse((await callRoute("GET", "/settings/grants", ours.admin)).text) as { data: { id: string }[] };
  expect(list.data.map(({ id }) => id)).toContain(own);
  expect(list.data.map(({ id }) => id)).not.toContain(rows[0]?.id);
  expect((await callRoute("DELETE", `/settings/grants/${rows[0]?.id}`, ours.admin)).status).toBe(404);
  expect(await stateOf(theirs)).toEqual(before);
  expect((await callRoute("DELETE", `/settings/grants/${own}`, ours.admin)).status).toBe(200);
});

test("the audit log does not show the name that another organization gives a former member", async () => {
  const { ours, theirs } = await createSides();
  const former = await makeMember(ours);
  await recordAudit(pool(), { organizationId: ours.organizationId, userId: former, address: null }, "sign_out");
  const read = async () => (await callRoute("GET", `/settings/audit_events?user_id=${former}`, ours.admin)).text;
  expect(await read()).toContain('"user_name":"Ada Example"');
  await pool().query("UPDATE memberships SET organization_id = $2 WHERE user_id = $1", [former, theirs.organizationId]);
  await pool().query("UPDATE users SET name = $2 WHERE id = $1", [former, theirs.marker]);
  expect(await read()).toContain('"user_name":null');
  expect(await read()).not.toContain(theirs.marker);
});
