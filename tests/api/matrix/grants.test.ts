import { expect, test } from "vitest";

import { pool } from "@/lib/db";
import { createAccessToken } from "@/tests/support/factories";

import { callRoute } from "../call-route";
import { stateOf } from "./kept";
import { createSides, makeGrant } from "./side";

test("what a person has allowed as a member of another organization is neither seen nor taken back from this one", async () => {
  const { ours, theirs } = await createSides();
  const own = await makeGrant(ours);
  await pool().query("INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, 'admin', now())", [
    theirs.organizationId,
    ours.userId,
  ]);
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
