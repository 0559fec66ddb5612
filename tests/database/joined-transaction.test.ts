import { expect, test } from "vitest";

import { pool, prisma, transaction } from "@/lib/database/db";
import { isRolledBack, postgresCode, UNIQUE_VIOLATION } from "@/lib/database/error-codes";
import { isUnanswered, setQueryTimeout } from "@/lib/database/pg-client";
import { inOrganization } from "@/lib/database/organization-scope";
import { createOrganization } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";

const rename = (id: string, name: string) => prisma().organizations.update({ where: { id }, data: { name } });

const nameNow = async (id: string) =>
  (await owner().query<{ name: string }>("SELECT name FROM organizations WHERE id = $1", [id])).rows[0]?.name;

test("within a transaction, Prisma and SQL see each other's changes, and nobody else does", async () => {
  const id = await createOrganization("Before");
  await inOrganization(id, () =>
    transaction(async (client) => {
      await client.query("UPDATE organizations SET name = 'By SQL' WHERE id = $1", [id]);
      expect(await prisma().organizations.findFirst({ where: { id } })).toMatchObject({ name: "By SQL" });
      await rename(id, "By Prisma");
      expect((await client.query("SELECT name FROM organizations")).rows).toEqual([{ name: "By Prisma" }]);
      expect(await nameNow(id)).toBe("Before");
    }),
  );
  expect(await nameNow(id)).toBe("By Prisma");
});

test("a failed transaction rolls back Prisma's writes too", async () => {
  const id = await createOrganization("Before");
  await expect(
    inOrganization(id, () =>
      transaction(async () => {
        await rename(id, "After");
        throw new Error("too late");
      }),
    ),
  ).rejects.toThrow("too late");
  expect(await nameNow(id)).toBe("Before");
});

test("after a transaction, Prisma's pending calls use the pool, not the connection", async () => {
  const id = await createOrganization("Before");
  await inOrganization(id, async () => {
    const { promise: end, resolve: ended } = Promise.withResolvers<void>();
    let renamed: Promise<unknown> | undefined;
    await transaction(async () => {
      renamed = end.then(() => rename(id, "Later"));
    });
    ended();
    await renamed;
  });
  expect(await nameNow(id)).toBe("Later");
  expect(pool().waitingCount).toBe(0);
});

test("a transaction of Prisma's own, as for nested writes, is refused within one", async () => {
  const id = await createOrganization();
  const nested = () => prisma().$transaction([rename(id, "After"), rename(id, "Later")]);
  await expect(inOrganization(id, () => transaction(nested))).rejects.toThrow("by a separate call");
});

test("an error of PostgreSQL keeps its code through Prisma", async () => {
  const id = await createOrganization();
  const error: unknown = await inOrganization(id, () =>
    prisma().organizations.create({ data: { id, name: "Twice", created_at: new Date() } }),
  ).catch((failure: unknown) => failure);
  expect(postgresCode(error)).toBe(UNIQUE_VIOLATION);
  expect(isRolledBack(error)).toBe(true);
});

test("an unanswered statement of Prisma ends the connection of its transaction", async () => {
  const id = await createOrganization("Before");
  const holder = await owner().connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM organizations WHERE id = $1 FOR UPDATE", [id]);
    const error: unknown = await inOrganization(id, () =>
      transaction(async (client) => {
        // With the 15 s of grace: one tenth of a second.
        setQueryTimeout(client, -14_900);
        await rename(id, "After");
      }),
    ).catch((failure: unknown) => failure);
    expect(isUnanswered(error)).toBe(true);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  expect(await nameNow(id)).toBe("Before");
});
