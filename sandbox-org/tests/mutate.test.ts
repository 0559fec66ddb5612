import jsforce, { type Connection } from "jsforce";
import { afterAll, beforeAll, expect, test } from "vitest";

import { recordAt } from "@/sandbox-org/generator/record-at";
import { startSandboxOrg, type RunningOrg } from "@/sandbox-org/start";

const SEED = 4;
const SIZE = 2000;
const SINCE = "2026-07-01T00:00:00Z";

let org: RunningOrg;
let connection: Connection;

beforeAll(async () => {
  org = await startSandboxOrg({ records: SIZE, seed: SEED });
  connection = new jsforce.Connection({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, version: "62.0" });
});
afterAll(() => org.stop());

/** The id of the first live record at or after that ordinal. */
function idAt(object: string, ordinal: number): string {
  const record = recordAt(SEED, SIZE, object, ordinal);
  return record["IsDeleted"] === true ? idAt(object, ordinal + 1) : String(record["Id"]);
}
const changed = async (object: string): Promise<string[]> => {
  const { records } = await connection.query(
    `SELECT Id FROM ${object} WHERE SystemModstamp > ${SINCE} ORDER BY SystemModstamp, Id`,
    {
      scanAll: true,
    },
  );
  return records.map((record) => String(record["Id"]));
};

test("an inserted record has the last id and is read like a generated one", async () => {
  const account = idAt("Account", 3);
  const [id = ""] = await org.mutate({
    op: "insert",
    object: "Contact",
    at: "2026-08-01T10:00:00Z",
    fields: { LastName: "Neu", FirstName: "Nina", AccountId: account.slice(0, 15), DoNotCall: true },
  });
  const { records } = await connection.query(
    `SELECT Id, Name, AccountId, Account.Name, DoNotCall, Email, CreatedDate, Owner.Username FROM Contact
      ORDER BY Id DESC LIMIT 1`,
  );
  expect(records[0]).toMatchObject({
    Id: id,
    Name: "Nina Neu",
    AccountId: account,
    Account: { Name: recordAt(SEED, SIZE, "Account", 3)["Name"] },
    DoNotCall: true,
    Email: null,
  });
  expect(records[0]).toMatchObject({
    CreatedDate: "2026-08-01T10:00:00.000+0000",
    Owner: { Username: "admin@pumps.example.sandbox" },
  });
  expect(
    (await connection.query(`SELECT Id FROM Contact WHERE Id > '${idAt("Contact", 300)}' AND LastName = 'Neu'`))
      .totalSize,
  ).toBe(1);
  expect(await changed("Contact")).toEqual([id]);
});

test("an update changes values and timestamps; a silent one leaves the timestamps unchanged", async () => {
  const [loud, silent] = [idAt("Account", 10), idAt("Account", 13)];
  await org.mutate(
    { op: "update", object: "Account", id: loud, fields: { Name: "Renamed", Industry: null } },
    { op: "update", object: "Account", id: silent, silent: true, fields: { Name: "Quiet" } },
  );
  const { records } = await connection.query(
    `SELECT Name, Industry FROM Account WHERE Id IN ('${loud}','${silent}') ORDER BY Id`,
  );
  expect(records).toMatchObject([{ Name: "Renamed", Industry: null }, { Name: "Quiet" }]);
  expect(await changed("Account")).toEqual([loud]);
});

test("only queryAll returns a deleted record, query an undeleted one too, and neither a purged one", async () => {
  const id = idAt("Case", 20);
  const seen = async (): Promise<number[]> => {
    const soql = `SELECT Id FROM Case WHERE Id = '${id}'`;
    return [(await connection.query(soql)).totalSize, (await connection.query(soql, { scanAll: true })).totalSize];
  };
  const before = (await connection.query("SELECT COUNT() FROM Case")).totalSize;
  await org.mutate({ op: "delete", object: "Case", id });
  expect(await seen()).toEqual([0, 1]);
  expect((await connection.query("SELECT COUNT() FROM Case")).totalSize).toBe(before - 1);
  await expect(connection.sobject("Case").retrieve(id)).rejects.toMatchObject({ errorCode: "ENTITY_IS_DELETED" });
  const now = Date.now();
  const named = async (): Promise<string[]> => {
    const period = [new Date(now - 3_600_000), new Date(now + 120_000)] as const;
    return (await connection.sobject("Case").deleted(...period)).deletedRecords.map((record) => record.id);
  };
  expect(await named()).toEqual([id]);
  await org.mutate({ op: "undelete", object: "Case", id });
  expect(await seen()).toEqual([1, 1]);
  expect((await connection.sobject("Case").updated(new Date(now - 3_600_000), new Date(now + 60_000))).ids).toEqual([
    id,
  ]);
  expect(await named()).toEqual([]);
  await org.mutate({ op: "purge", object: "Case", id });
  expect(await seen()).toEqual([0, 0]);
  expect(await named()).toEqual([id]);
});

test("changed records stay changed when the user's access changes", async () => {
  const id = idAt("Account", 30);
  await org.mutate({ op: "update", object: "Account", id, fields: { Name: "Still here" } });
  await org.setRules({ access: { hiddenObjects: ["Lead"] } });
  expect((await connection.query(`SELECT Name FROM Account WHERE Id = '${id}'`)).records[0]?.["Name"]).toBe(
    "Still here",
  );
  await org.setRules({ access: {} });
});

const permission = async (): Promise<unknown> =>
  (await connection.query("SELECT Id, PermissionsViewAllData FROM UserPermissionAccess LIMIT 1")).records[0];

async function setPermissions(fields: Record<string, boolean>): Promise<void> {
  const { Id: id } = (await permission()) as { Id: string };
  await org.mutate({ op: "update", object: "UserPermissionAccess", id, fields });
}

test("a permission of the user can be removed", async () => {
  expect(await permission()).toMatchObject({ PermissionsViewAllData: true });
  await setPermissions({ PermissionsViewAllData: false });
  expect(await permission()).toMatchObject({ PermissionsViewAllData: false });
});

const answered = (soql: string): Promise<number | string> =>
  connection.query(soql).then(
    ({ totalSize }) => totalSize,
    (error: unknown) => String(error),
  );

test("without View All Data replies in feeds cannot be queried, and posts only with LIMIT", async () => {
  await setPermissions({ PermissionsViewAllData: false });
  const replies = [`WHERE Id = '${idAt("FeedComment", 1)}'`, "LIMIT 1"].map(
    (rest) => `SELECT Id FROM FeedComment ${rest}`,
  );
  for (const soql of replies) expect(await answered(soql)).toContain("FeedComment requires the permission");
  expect(await answered("SELECT Id FROM FeedItem LIMIT 1001")).toContain("FeedItem requires a LIMIT");
  expect(await answered("SELECT Id FROM FeedItem LIMIT 3")).toBe(3);
  await setPermissions({ PermissionsViewAllData: true });
  expect(await Promise.all(replies.map(answered))).toEqual([1, 1]);
});

async function countAttachments(prefix: string): Promise<number> {
  const { records } = await connection.query("SELECT ParentId FROM Attachment");
  return records.filter((record) => String(record["ParentId"]).startsWith(prefix)).length;
}

test("without Modify All Data no query returns attachments of e-mails", async () => {
  const [ofCases, ofEmails] = [await countAttachments("500"), await countAttachments("02s")];
  await setPermissions({ PermissionsModifyAllData: false });
  expect([await countAttachments("500"), await countAttachments("02s")]).toEqual([ofCases, 0]);
  await setPermissions({ PermissionsModifyAllData: true });
  expect(ofEmails).toBeGreaterThan(0);
});

test("without Modify All Data no query returns drafts of e-mails that other users wrote for cases", async () => {
  const { records } = await connection.query("SELECT Id FROM EmailMessage WHERE ParentId != null LIMIT 2");
  const [others = "", own = ""] = records.map(({ Id: id }) => String(id));
  const change = { op: "update" as const, object: "EmailMessage" };
  await org.mutate({ ...change, id: others, fields: { Status: "5", CreatedById: idAt("User", 3) } });
  await org.mutate({ ...change, id: own, fields: { Status: "5", CreatedById: idAt("User", 0) } });
  const drafts = async () => {
    const found = await connection.query("SELECT Id FROM EmailMessage WHERE Status = '5' ORDER BY Id");
    return found.records.map(({ Id: id }) => id);
  };
  expect(await drafts()).toEqual([others, own].toSorted());
  await setPermissions({ PermissionsModifyAllData: false });
  expect(await drafts()).toEqual([own]);
  await setPermissions({ PermissionsModifyAllData: true });
});

test("queries of administrators return deleted attachments, those of others do not", async () => {
  const { records } = await connection.query<{ Id: string }>("SELECT Id FROM Attachment WHERE IsDeleted = false");
  const id = records.at(-1)?.Id ?? "";
  const count = async () => (await connection.query(`SELECT Id FROM Attachment WHERE Id = '${id}'`)).totalSize;
  await org.mutate({ op: "delete", object: "Attachment", id });
  expect(await count()).toBe(1);
  await setPermissions({ PermissionsModifyAllData: false });
  expect(await count()).toBe(0);
  await setPermissions({ PermissionsModifyAllData: true });
  await org.mutate({ op: "undelete", object: "Attachment", id });
});

test("an invalid change is refused with a sentence", async () => {
  await expect(
    org.mutate({ op: "update", object: "Account", id: idAt("Account", 1), fields: { Nope: 1 } }),
  ).rejects.toThrow("Account has no field Nope.");
  await expect(org.mutate({ op: "delete", object: "Account", id: "001000000000000AAA" })).rejects.toThrow(
    "Account has no record 001000000000000AAA.",
  );
  await expect(org.mutate({ op: "insert", object: "Nope" })).rejects.toThrow("There is no object Nope.");
});

test.each(["OpportunityLineItem", "OpportunityContactRole", "PricebookEntry"])(
  "a deleted record of %s is in no recycle bin, and is named for some time",
  async (object) => {
    const id = idAt(object, 2);
    await org.mutate({ op: "delete", object, id, at: "2026-08-10T10:00:00Z" });
    const soql = `SELECT Id FROM ${object} WHERE Id = '${id}'`;
    expect((await connection.query(soql, { scanAll: true })).records).toEqual([]);
    const { deletedRecords } = await connection.deleted(object, "2026-08-10T09:00:00Z", "2026-08-10T11:00:00Z");
    expect(deletedRecords.map((record) => record.id)).toEqual([id]);
  },
);
