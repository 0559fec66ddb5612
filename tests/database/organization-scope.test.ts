import { setImmediate } from "node:timers/promises";

import { beforeAll, expect, test, vi } from "vitest";

import { pool, prisma, readPipelined } from "@/lib/database/db";
import { forEachOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { createOrganization, insertRecord } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";

const ORGANIZATIONS = Array.from({ length: 20 }, () => newId());
const [ours = "", theirs = ""] = ORGANIZATIONS;

/** The organization's id stands in the name of its only account. */
const NAMES = "SELECT name FROM accounts";

beforeAll(async () => {
  for (const id of ORGANIZATIONS) await insertRecord("accounts", id, { name: id });
});

type Read = () => Promise<string[]>;

const namesOver = (query: { query: typeof service.query } = service): Read => {
  return async () => (await query.query<{ name: string }>(NAMES)).rows.map(({ name }) => name);
};
const service = { query: ((...given: [string]) => pool().query(...given)) as ReturnType<typeof pool>["query"] };
const overPipeline: Read = async () => {
  const { rows } = await readPipelined<[string]>({ name: "names", text: NAMES, values: [], rowMode: "array" });
  return rows.map(([name]) => name);
};
const throughPrisma: Read = async () =>
  (await prisma().accounts.findMany({ select: { name: true } })).map(({ name }) => name);

const READS: [string, Read][] = [
  ["the pool", namesOver()],
  ["the pipeline", overPipeline],
  ["Prisma", throughPrisma],
];

test.each(READS)("over %s a statement sees the rows of its scope, and without a scope none", async (_, read) => {
  expect(await read()).toEqual([]);
  expect(await inOrganization(ours, read)).toEqual([ours]);
  expect(await read()).toEqual([]);
  expect(await inOrganization(newId(), read)).toEqual([]);
});

test.each(READS)(
  "over %s thousands of statements of many organizations at once, nested and waiting, each see their own",
  async (_, read) => {
    const wrong: string[] = [];
    const one = async (id: string, inner: string): Promise<void> => {
      const [first] = await inOrganization(id, async () => {
        const nested = inOrganization(inner, read);
        const own = await read();
        if ((await nested).join() !== inner) wrong.push(`nested ${inner}`);
        await setImmediate();
        if ((await read()).join() !== own.join()) wrong.push(`after ${inner}`);
        return own;
      });
      if (first !== id) wrong.push(id);
      if ((await read()).length > 0) wrong.push("without a scope");
    };
    const pairs = ORGANIZATIONS.flatMap((id) => ORGANIZATIONS.map((inner) => [id, inner] as const));
    await Promise.all(pairs.map(([id, inner]) => one(id, inner)));
    await Promise.all(pairs.map(([id, inner]) => one(inner, id)));
    expect(wrong).toEqual([]);
  },
);

test("who waits for a connection gets it in a scope of their own, not of whoever gives it back", async () => {
  const held = await Promise.all(Array.from({ length: 20 }, () => pool().connect()));
  const waiting = inOrganization(ours, namesOver());
  await inOrganization(theirs, async () => held.forEach((client) => client.release()));
  expect(await waiting).toEqual([ours]);
});

test("a statement cannot change or add what is another organization's", async () => {
  const [mine] = ORGANIZATIONS;
  const changing = await inOrganization(ours, () => pool().query("UPDATE accounts SET phone = 'changed'"));
  expect(changing.rowCount).toBe(1);
  const deleting = await inOrganization(newId(), () => pool().query("DELETE FROM accounts"));
  expect(deleting.rowCount).toBe(0);
  const account = {
    id: newId(),
    organization_id: theirs,
    name: "foreign",
    created_at: new Date(),
    updated_at: new Date(),
  };
  await expect(inOrganization(ours, () => prisma().accounts.create({ data: account }))).rejects.toThrow(
    "row-level security",
  );
  await expect(
    inOrganization(ours, () => pool().query("UPDATE accounts SET organization_id = $1", [theirs])),
  ).rejects.toThrow("row-level security");
  const { rows } = await owner().query(
    "SELECT count(*)::int FROM accounts WHERE phone = 'changed' AND organization_id <> $1",
    [mine],
  );
  expect(rows).toEqual([{ count: 0 }]);
});

test("a scope ends with its statement: the same connection then shows nothing", async () => {
  const client = await pool().connect();
  try {
    expect(await inOrganization(ours, namesOver(client))).toEqual([ours]);
    const left =
      "SELECT current_setting('app.organization_id', true) AS organization, current_user AS role, session_user AS user";
    const { rows } = await client.query<{ organization: string; role: string; user: string }>(left);
    expect(rows[0]?.organization).toBe("");
    await acrossOrganizations(() => client.query("SELECT FROM organizations"));
    const after = await client.query<{ role: string; user: string }>(left);
    expect(after.rows[0]?.role).toBe(after.rows[0]?.user);
    expect(await namesOver(client)()).toEqual([]);
  } finally {
    client.release();
  }
});

test("within a transaction each statement has its scope, savepoints and statements without one included", async () => {
  const client = await pool().connect();
  const read = namesOver(client);
  try {
    await client.query("BEGIN");
    expect(await read()).toEqual([]);
    await client.query("SAVEPOINT before");
    expect(await inOrganization(ours, read)).toEqual([ours]);
    expect(await read()).toEqual([]);
    expect(await inOrganization(theirs, read)).toEqual([theirs]);
    await client.query("ROLLBACK TO SAVEPOINT before");
    expect(await read()).toEqual([]);
    expect(await inOrganization(theirs, read)).toEqual([theirs]);
    await acrossOrganizations(() => client.query("SELECT FROM organizations"));
    await client.query("ROLLBACK TO SAVEPOINT before");
    expect(await inOrganization(ours, read)).toEqual([ours]);
    await acrossOrganizations(() => client.query("SELECT FROM organizations"));
    expect(await inOrganization(theirs, read)).toEqual([theirs]);
    // Back at the savepoint PostgreSQL is in the scope of then, and whoever comes next in the one of since.
    expect(await inOrganization(ours, read)).toEqual([ours]);
    await client.query("SAVEPOINT since");
    expect(await inOrganization(theirs, read)).toEqual([theirs]);
    await client.query("ROLLBACK TO SAVEPOINT since");
    expect(await inOrganization(theirs, read)).toEqual([theirs]);
    await client.query("COMMIT");
    expect(await read()).toEqual([]);
  } finally {
    client.release();
  }
});

test("an error in a scoped statement leaves the connection as good as new, in a transaction and outside", async () => {
  const client = await pool().connect();
  const read = namesOver(client);
  try {
    for (const text of ["SELECT 1 / 0", "SELECT nothing", "syntax"]) {
      await expect(inOrganization(ours, () => client.query(text))).rejects.toThrow(/zero|nothing|syntax/);
      expect(await inOrganization(theirs, read)).toEqual([theirs]);
    }
    await client.query("BEGIN");
    await expect(inOrganization(ours, () => client.query("SELECT 1 / 0"))).rejects.toThrow("zero");
    await expect(inOrganization(ours, read)).rejects.toThrow("aborted");
    await client.query("ROLLBACK");
    expect(await inOrganization(ours, read)).toEqual([ours]);
    expect(await read()).toEqual([]);
  } finally {
    client.release();
  }
});

test("a scope that cannot be set fails its statement alone: the next has its own again", async () => {
  const client = await pool().connect();
  const user = client.user;
  try {
    client.user = "nobody_of_that_name";
    await expect(acrossOrganizations(() => client.query("SELECT FROM organizations"))).rejects.toThrow(
      "nobody_of_that_name_across",
    );
    client.user = user;
    await acrossOrganizations(() => client.query("SELECT FROM organizations"));
    expect(await inOrganization(ours, namesOver(client))).toEqual([ours]);
  } finally {
    client.user = user;
    client.release();
  }
});

test("a statement that PostgreSQL has forgotten is prepared anew, as a pooler between us needs it", async () => {
  const client = await pool().connect();
  try {
    expect(await inOrganization(ours, namesOver(client))).toEqual([ours]);
    await client.query("DEALLOCATE ALL");
    await expect(inOrganization(ours, namesOver(client))).rejects.toMatchObject({ code: "26000" });
    expect(await inOrganization(theirs, namesOver(client))).toEqual([theirs]);
  } finally {
    client.release();
  }
});

test("a module that is evaluated once more, as Next does for each bundle, has the same scopes", async () => {
  vi.resetModules();
  const again = await import("@/lib/database/organization-scope");
  expect(again.inOrganization).not.toBe(inOrganization);
  expect(await again.inOrganization(ours, namesOver())).toEqual([ours]);
  await again.acrossOrganizations(() => pool().query("SELECT FROM organizations"));
});

test("a scope is entered with an id: nothing else gets into it", () => {
  expect(() => inOrganization("", async () => undefined)).toThrow("id of an organization");
});

test("what fails in one organization is done in those behind it, and is thrown at the end; it kept housekeeping from all of them before", async () => {
  const ids = [await createOrganization(), await createOrganization(), await createOrganization()].toSorted();
  const done: string[] = [];
  const work = async (id: string) => {
    done.push(id);
    if (id < (ids[2] ?? "")) throw new Error(`${id} fails`);
  };
  const failure: unknown = await forEachOrganization(work).catch((error: unknown) => error);
  expect(failure).toEqual(new Error(`${done[0]} fails`));
  expect(done).toEqual(expect.arrayContaining(ids));
});
