import { expect, test, vi } from "vitest";

import { eraseInSteps } from "@/inngest/functions/erase-organization";
import { inOrganization } from "@/lib/database/organization-scope";
import { contentKey } from "@/lib/files/file-storage";
import { openStorage } from "@/lib/files/open-storage";
import { eraseFiles } from "@/lib/files/purge-files";
import { storeFile } from "@/lib/files/store-file";
import { importedId, newId } from "@/lib/ids";
import { type JobEvents, registerJobSender } from "@/lib/jobs";
import { log } from "@/lib/log";
import { removeMember } from "@/lib/sessions/members/change-member";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { deleteOrganization, getDeletionImpact } from "@/lib/settings/organization/delete-organization";
import { reenqueueErasures } from "@/lib/settings/organization/enqueue-erasure";
import { eraseRows } from "@/lib/settings/organization/erase-organization";
import type { DeletionImpact } from "@/lib/settings/organization/organization-schema";
import { stateOf } from "@/tests/http/matrix/support/kept";
import { type Populated, populate } from "@/tests/http/matrix/support/populated";
import { createSides, makeMember, type Side } from "@/tests/http/matrix/support/side";
import { type Arranged, arrange, BASE_URL, callApi, obtainToken, PASSWORD } from "@/tests/oauth/support/fixtures";
import { callRoute } from "@/tests/http/support/call-route";
import { colleagueOf, contextOf, opensWith, run, toldOf } from "@/tests/sessions/support/people";
import { createSession, insertRecord } from "@/tests/support/factories";
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

async function deleteOf(organizationId: string): Promise<void> {
  await pool().query("DELETE FROM memberships WHERE organization_id = $1", [organizationId]);
  await pool().query("UPDATE organizations SET deleted_at = now() WHERE id = $1", [organizationId]);
}

/** A step that runs at once. What it was asked for is collected. */
function stepsInto(ids: string[]) {
  return {
    run: (id: string, work: () => Promise<unknown>) => {
      ids.push(id);
      return work();
    },
    sleep: async (id: string) => void ids.push(id),
  };
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

async function twoFull(): Promise<[Populated, Populated]> {
  const { ours, theirs } = await createSides();
  const [one, other] = await populate([ours, theirs]);
  if (!one || !other) throw new Error("There are two sides.");
  return [one, other];
}

test("the erasure leaves no row of the organization, and everything of another one", async () => {
  const [ours, theirs] = await twoFull();
  const parent = await insertRecord("accounts", ours.organizationId);
  await insertRecord("accounts", ours.organizationId, { parent_account_id: parent });
  const people = await peopleOf(ours);
  const removed = await makeMember(ours);
  await run(removeMember, contextOf(ours), { user_id: removed });
  const before = await stateOf(theirs);
  const full = await stateOf(ours);
  expect(Object.values(full).filter((digest) => digest !== "").length).toBeGreaterThan(20);

  await deleteOf(ours.organizationId);
  await pool().query("DELETE FROM users WHERE id = ANY ($1)", [people.filter((id) => id !== removed)]);
  const steps: string[] = [];
  expect(await eraseInSteps(stepsInto(steps), ours.organizationId)).toBe("done");
  expect(steps).toEqual([
    "first-connections",
    "first-files-0",
    "first-rows-0",
    "settle",
    "second-connections",
    "second-files-0",
    "second-rows-0",
    "contents-0",
    "end",
  ]);
  expect(Object.entries(await stateOf(ours)).filter(([, digest]) => digest !== "")).toEqual([]);
  expect((await pool().query("SELECT FROM users WHERE id = $1", [removed])).rowCount).toBe(0);
  expect(await stateOf(theirs)).toEqual(before);
});

const MANY_FILES = `
  INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
  SELECT $1, gen_random_uuid(), now(), 'cases', gen_random_uuid(), 'file', 'Plan.pdf', 1, ''
  FROM generate_series(1, 50)`;

test("an erasure deletes as many files in a step as it has time for, and goes on with the next one", async () => {
  const { ours, theirs } = await createSides();
  for (const { organizationId } of [ours, theirs]) await pool().query(MANY_FILES, [organizationId]);
  await deleteOf(ours.organizationId);
  const left: number[] = [];
  for (let isDone = false; !isDone; left.push(await filesOf(ours)))
    isDone = await inOrganization(ours.organizationId, () => eraseFiles(ours.organizationId, -1));
  expect(left).toEqual([30, 10, 0, 0]);
  expect(await filesOf(theirs)).toBe(50);
});

test("an erasure with more to do than a run has steps says so, and repeats no step", async () => {
  const steps: string[] = [];
  const unfinished = {
    ...stepsInto(steps),
    run: async (id: string) => void steps.push(id),
  };
  expect(await eraseInSteps(unfinished, (await createSides()).ours.organizationId)).toBe("more");
  expect(steps.length).toBeGreaterThan(500);
  expect(steps.length).toBeLessThan(1000);
  expect(new Set(steps).size).toBe(steps.length);
});

async function filesOf({ organizationId }: Side): Promise<number> {
  return (await pool().query("SELECT FROM files WHERE organization_id = $1", [organizationId])).rowCount ?? 0;
}

async function peopleOf({ organizationId }: Side): Promise<string[]> {
  const text = "SELECT user_id FROM memberships WHERE organization_id = $1";
  const { rows } = await pool().query<{ user_id: string }>(text, [organizationId]);
  return rows.map(({ user_id }) => user_id);
}

test("a content that streams while its organization is erased is not kept, nor is its file", async () => {
  const { ours } = await createSides();
  const { organizationId } = ours;
  const recordId = await insertRecord("accounts", organizationId, { name: "Acme" });
  const createdAt = new Date();
  const migration = { migrationId: newId(), runNumber: 1 };
  const file = { resource: "accounts", recordId, extId: "068", name: "a.txt", contentType: null, createdAt } as const;
  async function* streaming(): AsyncGenerator<Uint8Array> {
    await deleteOf(organizationId);
    await eraseInSteps(stepsInto([]), organizationId);
    yield Buffer.from("content");
  }
  const storage = openStorage();
  const storing = inOrganization(organizationId, () =>
    storeFile(organizationId, storage, { ...file, ...migration }, streaming(), 100),
  );
  expect(await storing).toBeNull();
  expect((await pool().query("SELECT FROM files WHERE organization_id = $1", [organizationId])).rowCount).toBe(0);
  const id = importedId(organizationId, `${recordId}/${file.extId}`, createdAt);
  expect(await storage.read(contentKey(organizationId, id))).toBeNull();
});

test("the data of an organization that is not deleted cannot be erased", async () => {
  const { ours } = await createSides();
  await createSession(ours);
  const before = await stateOf(ours);
  await expect(inOrganization(ours.organizationId, () => eraseRows(ours.organizationId, 1000))).rejects.toMatchObject({
    code: "illegal_state",
  });
  expect(await stateOf(ours)).toEqual(before);
});

test("an erasure that was asked for again while the first one ran ends when that has erased everything", async () => {
  const { ours } = await createSides();
  await deleteOf(ours.organizationId);
  expect(await eraseInSteps(stepsInto([]), ours.organizationId)).toBe("done");
  expect(await eraseInSteps(stepsInto([]), ours.organizationId)).toBe("done");
});

test("an erasure whose job was lost is requested again", async () => {
  const { ours, theirs } = await createSides();
  await deleteOf(ours.organizationId);
  await pool().query("UPDATE organizations SET deleted_at = now() - interval '2 minutes' WHERE id = $1", [
    ours.organizationId,
  ]);
  const jobs = collectJobs();
  await reenqueueErasures();
  const asked = jobs.map(({ data }) => data.organization_id);
  expect(asked).toContain(ours.organizationId);
  expect(asked).not.toContain(theirs.organizationId);
});
