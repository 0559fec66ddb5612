import type { PoolClient } from "pg";
import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { pool as service, retriedTransaction } from "@/lib/database/db";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import { createCommentOfCase } from "@/lib/records/case-thread";
import { account } from "@/lib/records/entities/account";
import { escalateCase } from "@/lib/records/escalate-case";
import { upsertOperation } from "@/lib/records/ext-id-operations";
import { convertLead } from "@/lib/records/lead-conversion/convert-lead";
import {
  createOperation,
  deleteOperation,
  getOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import { lockByExtIds, lockRecords } from "@/lib/records/write/lock-records";
import { createContext, NEEDED } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction } from "@/tests/support/owner";

import { type Answer, eventsOf, refusal, run } from "@/tests/records/support/write-operations";

/** One way to write records, and the row that it has locked when it emits its event. */
interface Write {
  begin(): Promise<Answer>;
  holds: { table: string; id: string };
}

type Prepare = (context: Context) => Promise<Write>;

const create: Prepare = async (context) => {
  const { id } = await run(createOperation("accounts"), context, NEEDED.accounts);
  return {
    begin: () => run(createOperation("contacts"), context, { ...NEEDED.contacts, account_id: id }),
    holds: { table: "accounts", id },
  };
};

const update: Prepare = async (context) => {
  const { id } = await run(createOperation("leads"), context, NEEDED.leads);
  return {
    begin: () => run(updateOperation("leads"), context, { id, company: "Alpine Tools" }),
    holds: { table: "leads", id },
  };
};

const remove: Prepare = async (context) => {
  const { id } = await run(createOperation("leads"), context, NEEDED.leads);
  return { begin: () => run(deleteOperation("leads"), context, { id }), holds: { table: "leads", id } };
};

const restore: Prepare = async (context) => {
  const { id } = await run(createOperation("leads"), context, NEEDED.leads);
  await run(deleteOperation("leads"), context, { id });
  return { begin: () => run(restoreOperation("leads"), context, { id }), holds: { table: "deleted_records", id } };
};

const escalate: Prepare = async (context) => {
  const { id } = await run(createOperation("cases"), context, NEEDED.cases);
  return {
    begin: () => run(escalateCase, context, { id, reason: "The line stands still." }),
    holds: { table: "cases", id },
  };
};

const comment: Prepare = async (context) => {
  const { id } = await run(createOperation("cases"), context, NEEDED.cases);
  return {
    begin: () => run(createCommentOfCase, context, { id, body: "Have you tried it again?" }),
    holds: { table: "cases", id },
  };
};

const convert: Prepare = async (context) => {
  const { id } = await run(createOperation("leads"), context, { ...NEEDED.leads, company: "Alpine Tools" });
  const begin = async () => (await run(convertLead, context, { id })).lead as Answer;
  return { begin, holds: { table: "leads", id } };
};

const upsert: Prepare = async (context) => {
  const { id } = await run(createOperation("leads"), context, { ...NEEDED.leads, ext_id: "L-1" });
  return {
    begin: () => run(upsertOperation("leads"), context, { ext_id: "L-1", company: "Alpine Tools" }),
    holds: { table: "leads", id },
  };
};

const batch: Prepare = async (context) => {
  const { id } = await run(createOperation("leads"), context, NEEDED.leads);
  const items = [{ action: "update", id, data: { company: "Alpine Tools" } }];
  const begin = async () => {
    const { results } = await run(batchOperation("leads"), context, { mode: "all_or_nothing", items });
    return (results as { record: Answer }[])[0]?.record as Answer;
  };
  return { begin, holds: { table: "leads", id } };
};

class Enough extends Error {}

/**
 * Another transaction locks the last row of the write, and then requests the row that the write has locked. PostgreSQL
 * rolls back the transaction that first looks for a deadlock. The other one waits so long before it looks that this is
 * the write.
 */
async function amidDeadlock({ begin, holds: { table, id } }: Write): Promise<Answer> {
  const begun: Promise<Answer>[] = [];
  const other = transaction(async (client: PoolClient) => {
    await client.query("SET LOCAL deadlock_timeout = '20s'");
    await client.query("LOCK TABLE events IN EXCLUSIVE MODE");
    begun.push(begin());
    await untilLockWaits(1);
    await client.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
    throw new Enough();
  });
  await other.catch((error: Error & { code?: string }) => {
    // On a machine that stalls for a second it may be this transaction.
    if (!(error instanceof Enough) && error.code !== "40P01") throw error;
  });
  return (await begun[0]) as Answer;
}

/** How many deadlocks PostgreSQL has found in this database. It reports those of a connection with some delay. */
async function deadlocks(): Promise<number> {
  await service().query("SELECT pg_stat_force_next_flush()");
  const { rows } = await pool().query<{ deadlocks: number }>(
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
  );
  return rows[0]?.deadlocks ?? 0;
}

test.each<[string, Prepare, string[]]>([
  ["creating", create, ["contact.created"]],
  ["updating", update, ["lead.created", "lead.updated"]],
  ["deleting", remove, ["lead.created", "lead.deleted"]],
  ["restoring", restore, ["lead.created", "lead.deleted", "lead.created"]],
  ["escalating", escalate, ["case.created", "case.updated", "case.escalated"]],
  ["commenting", comment, ["case_comment.created"]],
  ["converting", convert, ["lead.created", "lead.updated", "lead.converted"]],
  ["upserting", upsert, ["lead.created", "lead.updated"]],
  ["a batch", batch, ["lead.created", "lead.updated"]],
])(
  "%s succeeds although PostgreSQL rolls it back in a deadlock, and emits each event once",
  async (_, prepare, types) => {
    const write = await prepare(await createContext());
    const before = await deadlocks();
    const { id } = await amidDeadlock(write);
    await expect.poll(deadlocks).toBeGreaterThan(before);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(types);
  },
);

test("two changes that refer to each other's record do not deadlock: one is refused", async () => {
  const context = await createContext();
  const [hub, one, other] = await Promise.all(
    ["Hub", "One", "Other"].map((name) => run(createOperation("accounts"), context, { name })),
  );
  const people = await Promise.all(
    [one, other].map((each) => run(createOperation("contacts"), context, { last_name: each?.name })),
  );
  const [first, second] = people.map(({ id }) => id);
  const changes: Promise<Answer>[] = [];
  // Both lock their own record and wait for the account; then each requests the other's.
  await transaction(async (client) => {
    await client.query("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [hub?.id]);
    const change = (id?: string, reports_to_id?: string) =>
      run(updateOperation("contacts"), context, { id, account_id: hub?.id, reports_to_id });
    changes.push(change(first, second), change(second, first));
    await untilLockWaits(2);
  });
  const outcomes = await Promise.allSettled(changes);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const refused = changes[outcomes.findIndex(({ status }) => status === "rejected")] as Promise<Answer>;
  expect(await refusal(refused)).toEqual({ code: "invalid_request", errors: ["/reports_to_id invalid_value"] });
});

test("a record can be referred to while it is changed, by its id or external id", async () => {
  const context = await createContext();
  const { id } = await run(createOperation("accounts"), context, { ...NEEDED.accounts, ext_id: "A-1" });
  for (const hold of [
    (client: PoolClient) => lockRecords(client, account, context.organizationId, [id]),
    (client: PoolClient) => lockByExtIds(client, account, context.organizationId, ["A-1"], "NO KEY UPDATE"),
  ]) {
    await transaction(async (client) => {
      expect(await hold(client)).toHaveLength(1);
      expect(await run(createOperation("contacts"), context, { ...NEEDED.contacts, account_id: id })).toMatchObject({
        account_id: id,
      });
    });
  }
});

test.each(["an update", "an upsert", "a batch"])(
  "%s of a unique value waits for references to the record before it locks the record",
  async (way) => {
    const context = await createContext();
    const { id } = await run(createOperation("products"), context, { ...NEEDED.products, ext_id: "P-1", sku: "S-1" });
    const changes: Record<string, () => Promise<unknown>> = {
      "an update": () => run(updateOperation("products"), context, { id, sku: "S-2" }),
      "an upsert": () => run(upsertOperation("products"), context, { ext_id: "P-1", sku: "S-2" }),
      "a batch": () =>
        run(batchOperation("products"), context, {
          mode: "per_item",
          items: [{ action: "update", id, data: { sku: "S-2" } }],
        }),
    };
    const begun: (Promise<unknown> | undefined)[] = [];
    await transaction(async (client) => {
      await client.query("SELECT FROM products WHERE id = $1 FOR KEY SHARE", [id]);
      begun.push(changes[way]?.());
      await untilLockWaits(1);
      await client.query("SELECT FROM products WHERE id = $1 FOR NO KEY UPDATE NOWAIT", [id]);
    });
    await begun[0];
    expect(await run(getOperation("products"), context, { id })).toMatchObject({ sku: "S-2", version: 2 });
  },
);

test("a write that is rolled back too often is refused; other errors are not retried", async () => {
  let attempts = 0;
  const raise = (code: string) =>
    retriedTransaction((client) => {
      attempts += 1;
      return client.query(`DO $$ BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '${code}'; END $$`);
    });
  for (const code of ["40P01", "40001"]) {
    attempts = 0;
    expect(await refusal(raise(code))).toEqual({ code: "too_many_requests", errors: [] });
    expect(attempts).toBe(10);
  }
  attempts = 0;
  await expect(raise("23505")).rejects.toThrow("undone");
  expect(attempts).toBe(1);
});
