import { afterAll, beforeAll, expect, test } from "vitest";

import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { listOwners } from "@/lib/migration/owners/list-owners";
import type { Owners } from "@/lib/migration/owners/owners-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, valueOf } from "@/lib/operation";
import { openClient } from "@/lib/salesforce/client";
import { count } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, connect } from "@/tests/migration/support/analyze-org";
import { MigrationApi, problemIn } from "@/tests/migration/support/api-service";
import { createReady } from "@/tests/migration/support/ready-migration";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { createAccessToken, createContext, createUser } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const [ANA, BEN, QUEUE, GONE] = [sourceId("005", 1), sourceId("005", 2), sourceId("00G", 1), sourceId("005", 9)];

function source(): ScriptedSource {
  return new ScriptedSource({
    User: [
      sourceRecord("005", 1, { Name: "Ana", Email: "Ana@Example.com" }),
      sourceRecord("005", 2, { Name: "Ben", Email: "ben@elsewhere.example" }),
    ],
    Group: [sourceRecord("00G", 1, { Name: "Support", Type: "Queue" })],
    Case: [ANA, BEN, QUEUE, GONE].map((OwnerId, index) => sourceRecord("500", index + 1, { Subject: "S", OwnerId })),
    CaseComment: [ANA, BEN].map((CreatedById, index) =>
      sourceRecord("00a", index + 1, { ParentId: sourceId("500", 1), CommentBody: "C", CreatedById }),
    ),
  });
}

async function ownersAfter(key: MigrationKey, owners: Partial<Owners> | undefined) {
  const parsed = configurationSchema.parse(owners ? { owners } : {});
  await runMigration(key, source(), { configuration: parsed });
  const cases = await recordsOf("cases", key.organizationId);
  const comments = await recordsOf("case_comments", key.organizationId);
  const owned = [1, 2, 3, 4].map((number) => cases[sourceId("500", number)] ?? {});
  return {
    owners: owned.map(({ owner_id }) => owner_id),
    names: owned.map(({ custom_fields }) => (custom_fields as Record<string, string>)["Owner.Name"]),
    authors: [1, 2].map((number) => comments[sourceId("00a", number)]?.author_id),
  };
}

test("each user and queue becomes the chosen member, else the one with the address, else the fallback", async () => {
  const key = await createMigration(["Case", "CaseComment"]);
  const [ana, bea, last] = [
    await createUser(key.organizationId, "member", "ana@example.com"),
    await createUser(key.organizationId, "member", "bea@example.com"),
    await createUser(key.organizationId, "member", "last@example.com"),
  ];
  expect(await ownersAfter(key, undefined)).toEqual({
    owners: [ana, null, null, null],
    names: [undefined, "Ben", "Support", undefined],
    authors: [ana, null],
  });
  // A fallback owns records; it has written no comments.
  expect(await ownersAfter(key, { fallback: last })).toEqual({
    owners: [ana, last, last, last],
    names: [undefined, "Ben", "Support", undefined],
    authors: [ana, null],
  });
  const members = { [BEN.slice(0, 15)]: bea, [QUEUE]: ana, [GONE]: null };
  expect(await ownersAfter(key, { members, fallback: last })).toEqual({
    owners: [ana, bea, ana, null],
    names: [undefined, "Ben", "Support", undefined],
    authors: [ana, bea],
  });
  expect(await ownersAfter(key, { by_email: false })).toMatchObject({ owners: [null, null, null, null] });
});

test("a chosen member may be disabled, and one who was removed since counts as not chosen", async () => {
  const key = await createMigration(["Case", "CaseComment"]);
  const [disabled, removed] = [
    await createUser(key.organizationId, "member", "disabled@example.com"),
    await createUser(key.organizationId, "member", "removed@example.com"),
  ];
  await pool().query("UPDATE memberships SET disabled_at = now() WHERE user_id = $1", [disabled]);
  await pool().query("DELETE FROM memberships WHERE user_id = $1", [removed]);
  const { owners } = await ownersAfter(key, { members: { [ANA]: disabled, [BEN]: removed } });
  expect(owners.slice(0, 2)).toEqual([disabled, null]);
});

test("choices that name nobody are refused with their pointer, and with the id that was meant", async () => {
  const context = await createContext();
  const api = new MigrationApi(await createAccessToken(context));
  const id = await createReady(context);
  const ana = await createUser(context.organizationId, "member", "anabel@example.com");
  const elsewhere = await createContext();
  const refused = async (owners: unknown) =>
    problemIn(await api.put(`/migration/${id}/configuration`, { objects: {}, owners })).errors ?? [];
  const faults = await refused({
    members: { [ANA]: "anabel@exmple.com", [BEN]: elsewhere.userId, "001M00000000001AAA": ana },
    fallback: elsewhere.userId,
  });
  expect(faults.map(({ pointer, code }) => [pointer, code])).toEqual([
    ["/owners/members/001M00000000001AAA", "unknown_owner"],
    [`/owners/members/${ANA}`, "unknown_member"],
    [`/owners/members/${BEN}`, "unknown_member"],
    ["/owners/fallback", "unknown_member"],
  ]);
  expect(faults[1]?.detail).toContain(`the id of anabel@example.com is \`${ana}\``);
  expect(JSON.stringify(faults)).not.toContain(elsewhere.organizationId);
  const saved = await api.put(`/migration/${id}/configuration`, { objects: {}, owners: { members: { [ANA]: ana } } });
  expect(saved).toMatchObject({ status: 200, body: { owners: { by_email: true, fallback: null } } });
});

let org: RunningOrg;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1000, seed: 3 });
});
afterAll(() => org.stop());

test("the owners of an org are listed with what they own and whom each becomes", async () => {
  const key = await connect(org);
  await analyze(key);
  const context = await createContext({ organizationId: key.organizationId });
  const list = async () => valueOf(await execute(listOwners, context, { migration_id: key.migrationId }));
  const { data, more, not_listed_because } = await list();
  expect({ more, not_listed_because }).toEqual({ more: 0, not_listed_because: null });
  const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  const total = async (object: string, more = "") =>
    count(client, `SELECT COUNT() FROM ${object} WHERE IsDeleted = false${more}`, { all: true });
  const owned = await Promise.all(["Account", "Contact", "Case", "Task", "Event"].map((object) => total(object)));
  expect(data.reduce((sum, { records }) => sum + records, 0)).toBe(owned.reduce((sum, number) => sum + number, 0));
  expect(data.reduce((sum, { comments }) => sum + comments, 0)).toBe(await total("CaseComment"));
  const [first] = data;
  expect(first?.records).toBe(
    (
      await Promise.all(
        ["Account", "Contact", "Case", "Task", "Event"].map((object) => total(object, ` AND OwnerId = '${first?.id}'`)),
      )
    ).reduce((sum, number) => sum + number, 0),
  );
  expect(data.some(({ kind }) => kind === "queue")).toBe(true);
  expect(data.every(({ rule, user }) => rule === "nobody" && user === null)).toBe(true);

  const same = data.find(({ kind, email }) => kind === "user" && email !== null);
  const queue = data.find(({ kind }) => kind === "queue");
  const member = await createUser(key.organizationId, "member", same?.email ?? "");
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [
    key.migrationId,
    { owners: { members: { [queue?.id ?? ""]: member } } },
  ]);
  const again = (await list()).data;
  expect(again.find(({ id }) => id === same?.id)).toMatchObject({ rule: "email", user: { id: member } });
  expect(again.find(({ id }) => id === queue?.id)).toMatchObject({ rule: "chosen", user: { id: member } });
});
