import { expect, test, vi } from "vitest";

import { newId } from "@/lib/ids";
import { type JobEvents, registerJobSender } from "@/lib/jobs";
import { log } from "@/lib/log";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { deleteOrganization, getDeletionImpact } from "@/lib/settings/organization/delete-organization";
import type { DeletionImpact } from "@/lib/settings/organization/organization-schema";
import { type Arranged, arrange, BASE_URL, callApi, obtainToken, PASSWORD } from "@/tests/oauth/support/fixtures";
import { callRoute } from "@/tests/http/support/call-route";
import { colleagueOf, contextOf, opensWith, run, toldOf } from "@/tests/sessions/support/people";
import { insertRecord } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";

/** Collects the jobs that are requested. */
function collectJobs(): { name: string; data: JobEvents[keyof JobEvents] }[] {
  const jobs: ReturnType<typeof collectJobs> = [];
  registerJobSender(async (name, data) => void jobs.push({ name, data }));
  return jobs;
}

function ask({ browser }: Pick<Arranged, "browser">, body: object) {
  const headers = { cookie: browser.cookieHeader(), origin: BASE_URL };
  return callRoute("POST", "/settings/organization/delete", headers, body);
}

/** Where the fault of a refusal lies and what it is. */
function faultOf({ text }: { text: string }): string[] {
  const { code, errors = [] } = JSON.parse(text) as { code: string; errors?: { pointer: string; code: string }[] };
  return [code, ...errors.map((each) => `${each.pointer} ${each.code}`)];
}

test("a deletion signs everybody out, stops tokens, frees addresses, is logged, and requests the erasure", async () => {
  const jobs = collectJobs();
  const arranged = await arrange();
  const colleague = await colleagueOf(arranged);
  const token = await obtainToken(arranged);
  const warn = vi.spyOn(log, "warn");
  expect((await callApi(token)).status).toBe(200);
  expect((await ask(arranged, { name: "Acme", password: PASSWORD })).status).toBe(200);
  // The organization's own audit log goes with it.
  const who = { organization_id: arranged.organizationId, user_id: arranged.userId };
  expect(warn).toHaveBeenCalledWith(who, expect.stringContaining("an organization was deleted"));
  const recorded = "SELECT deleted_by FROM organization_deletions WHERE id = $1";
  expect((await pool().query(recorded, [arranged.organizationId])).rows).toEqual([{ deleted_by: arranged.userId }]);
  expect((await callApi(token)).status).toBe(401);
  for (const { browser } of [arranged, colleague]) expect(await opensWith(browser.cookieHeader())).toBe(401);
  expect(jobs).toEqual([{ name: "organization/erase.requested", data: { organization_id: arranged.organizationId } }]);
  const admin = { email: arranged.email, name: "Ada Again", password: "cobalt harvest lantern 42" };
  await expect(createOrganization({ name: "Acme Anew", admin })).resolves.toMatchObject({});
  const { rows } = await pool().query("SELECT FROM webhooks WHERE organization_id = $1", [arranged.organizationId]);
  expect(rows).toEqual([]);
});

test("somebody who becomes a member at that moment is deleted too, so that their address is free", async () => {
  const arranged = await arrange();
  collectJobs();
  const joining = await pool().connect();
  await joining.query("BEGIN");
  // As a first sign-in through the provider does.
  await joining.query("SELECT FROM organizations WHERE id = $1 FOR SHARE", [arranged.organizationId]);
  const [id, email] = [newId(), `${newId()}@example.com`];
  await joining.query("INSERT INTO users (id, email, name, created_at) VALUES ($1, $2, 'New', now())", [id, email]);
  const membership = `INSERT INTO memberships (organization_id, user_id, role, created_at)
    VALUES ($1, $2, 'member', now())`;
  await joining.query(membership, [arranged.organizationId, id]);
  const deleting = ask(arranged, { name: "Acme", password: PASSWORD });
  await untilLockWaits(1);
  await joining.query("COMMIT");
  joining.release();
  expect((await deleting).status).toBe(200);
  expect((await pool().query("SELECT FROM users WHERE id = $1", [id])).rowCount).toBe(0);
});

test("it needs the organization's name and the admin's own password, and an admin", async () => {
  const jobs = collectJobs();
  const arranged = await arrange();
  const member = await colleagueOf(arranged);
  expect(faultOf(await ask(arranged, { name: "Acme" }))).toEqual(["invalid_request", "/password required"]);
  const wrong = await ask(arranged, { name: "Acme", password: "not the password" });
  expect(faultOf(wrong)).toEqual(["invalid_request", "/password wrong_password"]);
  expect(await toldOf(arranged.organizationId, "password.refused")).toHaveLength(1);
  const other = await ask(arranged, { name: "Acme Inc", password: PASSWORD });
  expect(faultOf(other)).toEqual(["invalid_request", "/name invalid_value"]);
  expect(faultOf(await ask(member, { name: "Acme", password: PASSWORD }))).toEqual(["forbidden"]);
  expect(jobs).toEqual([]);
  expect(await opensWith(arranged.browser.cookieHeader())).toBe(200);
});

test("who has no password must have signed in within ten minutes", async () => {
  collectJobs();
  const arranged = await arrange();
  await pool().query("UPDATE users SET password_hash = NULL WHERE id = $1", [arranged.userId]);
  expect(faultOf(await ask(arranged, { name: "Acme", password: PASSWORD }))).toEqual(["illegal_state"]);
  const impact = await run<DeletionImpact>(getDeletionImpact, contextOf(arranged));
  expect(impact.proof).toBe("sign_in");
  const aged = "UPDATE sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1";
  await pool().query(aged, [arranged.userId]);
  expect(faultOf(await ask(arranged, { name: "Acme" }))).toEqual(["illegal_state"]);
  await pool().query("UPDATE sessions SET created_at = now() WHERE user_id = $1", [arranged.userId]);
  expect((await ask(arranged, { name: "Acme" })).status).toBe(200);
});

test("who loses a race of deletions is told that the sign-in has ended, with or without a password", async () => {
  collectJobs();
  const arranged = await arrange();
  const late = { ...contextOf(arranged), sessionId: newId() };
  expect((await ask(arranged, { name: "Acme", password: PASSWORD })).status).toBe(200);
  for (const proof of [{ password: PASSWORD }, {}]) {
    const losing = run(deleteOrganization, late, { name: "Acme", ...proof });
    await expect(losing).rejects.toMatchObject({
      code: "unauthenticated",
      message: expect.stringContaining("signed out meanwhile"),
    });
  }
});

test("the impact counts what there is", async () => {
  const arranged = await arrange();
  await colleagueOf(arranged);
  await obtainToken(arranged);
  await insertRecord("contacts", arranged.organizationId);
  await insertRecord("products", arranged.organizationId);
  expect(await run(getDeletionImpact, contextOf(arranged))).toEqual({
    records: 2,
    files: 0,
    members: 2,
    sessions: 2,
    api_clients: 1,
    live_tokens: 1,
    webhooks: 0,
    connected_orgs: 0,
    proof: "password",
  });
});
