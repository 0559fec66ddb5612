import { setImmediate } from "node:timers/promises";

import { beforeAll, expect, test, vi } from "vitest";

import { pool, prisma, readPipelined } from "@/lib/database/db";
import { forEachOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { isExhaustive } from "@/tests/support/exhaustive";
import { createOrganization, insertRecord } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";

const ORGANIZATIONS = Array.from({ length: isExhaustive ? 20 : 8 }, () => newId());
const [ours = "", theirs = ""] = ORGANIZATIONS;

/** The name of an organization's only account is the organization's id. */
const NAMES = "SELECT name FROM accounts";

beforeAll(async () => {
  await owner().query(
    "INSERT INTO organizations (id, name, created_at) SELECT id, '', now() FROM unnest($1::uuid[]) id",
    [ORGANIZATIONS],
  );
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
  (await prisma().organizations.findMany({ select: { id: true } })).map(({ id }) => id);

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

test.each(READS)("over %s concurrent statements of many organizations each see their own rows", async (_, read) => {
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
});

test("a caller that waits for a connection gets it in its own scope", async () => {
  const held = await Promise.all(Array.from({ length: 20 }, () => pool().connect()));
  const waiting = inOrganization(ours, namesOver());
  await inOrganization(theirs, async () => held.forEach((client) => client.release()));
  expect(await waiting).toEqual([ours]);
});

test("a statement can neither change nor add another organization's rows", async () => {
  const [mine] = ORGANIZATIONS;
  const changing = await inOrganization(ours, () => pool().query("UPDATE accounts SET phone = 'changed'"));
  expect(changing.rowCount).toBe(1);
  const deleting = await inOrganization(newId(), () => pool().query("DELETE FROM accounts"));
  expect(deleting.rowCount).toBe(0);
  const webhook = {
    id: newId(),
    organization_id: theirs,
    url: "https://foreign.example/hook",
    url_set_by_id: newId(),
    events: ["account.created"],
    created_at: new Date(),
    updated_at: new Date(),
  };
  await expect(inOrganization(ours, () => prisma().webhooks.create({ data: webhook }))).rejects.toThrow(
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

test("a scope ends with its statement: afterwards the same connection shows nothing", async () => {
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

test("within a transaction each statement has its scope, also across savepoints", async () => {
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
    // A rollback to the savepoint restores its scope, and the next statement sets its own.
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

test("an error in a scoped statement does not affect later ones, in a transaction or outside", async () => {
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

test("a scope that cannot be set fails only its statement: the next has its own again", async () => {
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

test("a statement that PostgreSQL no longer knows is prepared again, as poolers require", async () => {
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

test("a module that is evaluated twice, as Next does for each bundle, shares the scopes", async () => {
  vi.resetModules();
  const again = await import("@/lib/database/organization-scope");
  expect(again.inOrganization).not.toBe(inOrganization);
  expect(await again.inOrganization(ours, namesOver())).toEqual([ours]);
  await again.acrossOrganizations(() => pool().query("SELECT FROM organizations"));
});

test("a scope needs an organization's id: nothing else is accepted", () => {
  expect(() => inOrganization("", async () => undefined)).toThrow("id of an organization");
});

test("a failure in one organization does not stop the others, and is thrown at the end", async () => {
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
