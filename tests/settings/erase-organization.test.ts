import { expect, onTestFinished, test } from "vitest";

import { eraseInSteps } from "@/inngest/functions/erase-organization";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { contentKey } from "@/lib/files/file-storage";
import { openStorage } from "@/lib/files/open-storage";
import { eraseFiles } from "@/lib/files/purge-files";
import { storeFile } from "@/lib/files/store-file";
import { importedId, newId } from "@/lib/ids";
import { registerJobSender } from "@/lib/jobs";
import { removeMember } from "@/lib/sessions/members/change-member";
import { reenqueueErasures } from "@/lib/settings/organization/enqueue-erasure";
import { stateOf } from "@/tests/http/matrix/support/kept";
import { type Populated, populate } from "@/tests/http/matrix/support/populated";
import { createSides, makeMember, type Side } from "@/tests/http/matrix/support/side";
import { contextOf, run } from "@/tests/sessions/support/people";
import { createSession, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

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
    "first-rows-0",
    "first-connections",
    "first-files-0",
    "settle",
    "second-rows-0",
    "second-connections",
    "second-files-0",
    "last-rows-0",
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

test("no step erases anything of an organization that is not deleted", async () => {
  const [ours] = await twoFull();
  await pool().query(MANY_FILES, [ours.organizationId]);
  await createSession(ours);
  const content = contentKey(ours.organizationId, newId());
  await openStorage().write(content, contentOf("content"));
  const before = await stateOf(ours);
  const refused: string[] = [];
  const refusing = {
    ...stepsInto([]),
    run: async (id: string, work: () => Promise<unknown>) => {
      await expect(work()).rejects.toMatchObject({ code: "illegal_state" });
      return refused.push(id) > 0;
    },
  };
  await eraseInSteps(refusing, ours.organizationId);
  expect(refused).toEqual(expect.arrayContaining(["first-connections", "first-files-0", "contents-0", "end"]));
  expect(await stateOf(ours)).toEqual(before);
  expect(await new Response(await openStorage().read(content)).text()).toBe("content");
});

async function* contentOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("a storage of files that is away keeps the rows of files, connections and the organization alone", async () => {
  const [ours] = await twoFull();
  await pool().query(MANY_FILES, [ours.organizationId]);
  await deleteOf(ours.organizationId);
  const keys = { FILES_S3_ACCESS_KEY_ID: "key", FILES_S3_SECRET_ACCESS_KEY: "secret" };
  Object.assign(env, { FILES_S3_URL: "http://127.0.0.1:1/bucket", ...keys });
  onTestFinished(() => void Object.assign(env, { FILES_S3_URL: undefined }));
  await expect(eraseInSteps(stepsInto([]), ours.organizationId)).rejects.toMatchObject({ name: "StorageError" });
  const left = Object.entries(await stateOf(ours)).filter(([, digest]) => digest !== "");
  expect(left.map(([table]) => table).toSorted()).toEqual(["connections", "files", "organizations"]);
  expect(await withAccess(ours)).toBe(0);
});

async function withAccess({ organizationId }: Side): Promise<number> {
  const text = "SELECT FROM connections WHERE organization_id = $1 AND access_token_enc IS NOT NULL";
  return (await pool().query(text, [organizationId])).rowCount ?? 0;
}

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
  const asked: string[] = [];
  registerJobSender(async (_, data) => void asked.push(data.organization_id));
  await reenqueueErasures();
  expect(asked).toContain(ours.organizationId);
  expect(asked).not.toContain(theirs.organizationId);
});
