import type { PoolClient, QueryConfig } from "pg";
import { expect, test } from "vitest";

import { closeDatabase, pool, prisma, transaction, withEachCommit } from "@/lib/database/db";
import { postgresCode } from "@/lib/database/error-codes";
import { inOrganization } from "@/lib/database/organization-scope";
import { createOrganization } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";

/** Renames the organization by a statement that is said to be the last one of its transaction. */
function renameLast(client: PoolClient, name: string, divisor = 1) {
  const statement = { text: "UPDATE organizations SET name = $1 WHERE 1 / $2::int = 1", isLast: true };
  return client.query({ ...statement, values: [name, divisor] } as QueryConfig);
}

const nameNow = async (id: string) =>
  (await owner().query<{ name: string }>("SELECT name FROM organizations WHERE id = $1", [id])).rows[0]?.name;

test("a statement that is the whole transaction is committed with its answer, in its organization alone", async () => {
  const [id, other] = [await createOrganization("Before"), await createOrganization("Other")];
  await inOrganization(id, () =>
    transaction(async (client) => {
      expect(await renameLast(client, "After")).toMatchObject({ rowCount: 1 });
      expect(await nameNow(id)).toBe("After");
    }),
  );
  expect(await nameNow(other)).toBe("Other");
  // The scope ended with the statement.
  await expect(pool().query("SELECT FROM organizations")).resolves.toMatchObject({ rowCount: 0 });
});

test("after another statement, the last one is committed at the end, with both or with none", async () => {
  const id = await createOrganization("Before");
  const both = (divisor: number) =>
    inOrganization(id, () =>
      transaction(async (client) => {
        await client.query("UPDATE organizations SET currency = 'CHF'");
        await renameLast(client, "After", divisor);
        expect(await nameNow(id)).toBe("Before");
      }),
    );
  await expect(both(0)).rejects.toThrow("division by zero");
  const currency = () => inOrganization(id, () => prisma().organizations.findFirst({ select: { currency: true } }));
  expect(await currency()).not.toEqual({ currency: "CHF" });
  await both(1);
  expect(await nameNow(id)).toBe("After");
  expect(await currency()).toEqual({ currency: "CHF" });
});

test("where a task belongs to each commit, it is committed together with the statement, or neither is", async () => {
  const id = await createOrganization("Before");
  const run = (task: (client: PoolClient) => Promise<unknown>) =>
    inOrganization(id, () =>
      withEachCommit(task, () =>
        transaction(async (client) => {
          await renameLast(client, "After");
          expect(await nameNow(id)).toBe("Before");
        }),
      ),
    );
  const refused = run(async () => {
    throw new Error("the key is taken");
  });
  await expect(refused).rejects.toThrow("the key is taken");
  expect(await nameNow(id)).toBe("Before");
  await run((client) => client.query("UPDATE organizations SET currency = 'CHF'"));
  expect(await nameNow(id)).toBe("After");
});

test("a whole transaction that fails changes nothing, and its connection serves the next", async () => {
  const id = await createOrganization("Before");
  await closeDatabase();
  const pids = new Set<number>();
  for (let time = 0; time < 20; time += 1) {
    const failed = inOrganization(id, () => transaction((client) => renameLast(client, "After", 0)));
    await expect(failed).rejects.toSatisfy((error) => postgresCode(error) === "22012");
    const { rows } = await pool().query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    pids.add(rows[0]?.pid ?? 0);
  }
  expect(pids.size).toBe(1);
  expect(await nameNow(id)).toBe("Before");
  await inOrganization(id, () => transaction((client) => renameLast(client, "Later")));
  expect(await nameNow(id)).toBe("Later");
});

test("a statement after the last one is refused, since nothing could undo the two together", async () => {
  const id = await createOrganization("Before");
  const after = inOrganization(id, () =>
    transaction(async (client) => {
      await renameLast(client, "After");
      await client.query("SELECT 1");
    }),
  );
  await expect(after).rejects.toThrow("has ended with the statement that was its last");
  expect((await inOrganization(id, () => pool().query("SELECT 1 AS one"))).rows).toEqual([{ one: 1 }]);
});
