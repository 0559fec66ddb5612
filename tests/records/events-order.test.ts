import { array, assert, asyncProperty, constant, constantFrom, integer, nat, oneof, record } from "fast-check";
import type { PoolClient } from "pg";
import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { account } from "@/lib/records/entities/account";
import {
  createOperation,
  deleteOperation,
  getOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import { lockRecords } from "@/lib/records/write/lock-records";
import { changeRecords } from "@/lib/records/write/update-record";

import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { feed, settled } from "@/tests/records/support/read-events";
import { type Answer, run } from "@/tests/records/support/write-operations";

const RUNS = 150;
const WRITERS = 4;

/** A client that polls, oldest first, from its last event. */
interface Poller {
  context: Context;
  cursor: string | null;
  seen: string[];
}

/** An open transaction, and the events that it has emitted. */
interface Writer {
  client: PoolClient;
  emitted: string[];
}

interface Scene {
  poller: Poller;
  writers: (Writer | undefined)[];
  committed: string[];
}

async function poll(poller: Poller, limit: number): Promise<boolean> {
  const page = await feed(poller.context, {
    order: "asc",
    limit,
    ...(poller.cursor !== null && { cursor: poller.cursor }),
  });
  poller.seen.push(...page.data.map(({ id }) => id));
  poller.cursor = poller.seen.at(-1) ?? null;
  return page.has_more;
}

async function tell({ writers, poller }: Scene, index: number): Promise<void> {
  const writer = writers[index] ?? { client: await pool().connect(), emitted: [] };
  if (!writers[index]) await writer.client.query("BEGIN");
  writers[index] = writer;
  const id = newId();
  await writer.client.query(
    `INSERT INTO events (organization_id, id, created_at, type, record_id, object)
      VALUES ($1, $2, now(), 'account.created', $2, '{}')`,
    [poller.context.organizationId, id],
  );
  writer.emitted.push(id);
}

async function end(scene: Scene, index: number, how: "COMMIT" | "ROLLBACK"): Promise<void> {
  const writer = scene.writers[index];
  if (!writer) return;
  scene.writers[index] = undefined;
  await writer.client.query(how);
  writer.client.release();
  if (how === "COMMIT") scene.committed.push(...writer.emitted);
}

const writer = nat(WRITERS - 1);
const action = oneof(
  { weight: 5, arbitrary: record({ kind: constant("tell" as const), writer }) },
  {
    weight: 2,
    arbitrary: record({
      kind: constant("end" as const),
      writer,
      how: constantFrom("COMMIT" as const, "COMMIT" as const, "ROLLBACK" as const),
    }),
  },
  { weight: 3, arbitrary: record({ kind: constant("poll" as const), limit: integer({ min: 1, max: 5 }) }) },
);

test(`a client that polls from its last event sees every event once, in ${RUNS} interleavings`, async () => {
  let hidden = 0;
  await assert(
    asyncProperty(array(action, { minLength: 5, maxLength: 30 }), async (actions) => {
      const context: Context = {
        requestId: newId(),
        organizationId: newId(),
        userId: newId(),
        role: "member",
        clientId: null,
        scopes: new Set(["crm:read"]),
        address: null,
      };
      const scene: Scene = { poller: { context, cursor: null, seen: [] }, writers: [], committed: [] };
      for (const step of actions) {
        if (step.kind === "tell") await tell(scene, step.writer);
        else if (step.kind === "end") await end(scene, step.writer, step.how);
        else await poll(scene.poller, step.limit);
        hidden += Number(step.kind === "poll" && scene.poller.seen.length < scene.committed.length);
      }
      for (const index of scene.writers.keys()) await end(scene, index, "COMMIT");
      await settled();
      while (await poll(scene.poller, 3));
      expect(scene.poller.seen.toSorted()).toEqual(scene.committed.toSorted());
    }),
    { numRuns: RUNS },
  );
  // The test proves something only if open transactions hid committed events.
  expect(hidden).toBeGreaterThan(RUNS / 10);
});

/**
 * Changes a record in a transaction that got its number before another transaction changed the record and committed.
 */
async function overtake(context: Context, id: string): Promise<void> {
  const other = await run(createOperation("accounts"), context, NEEDED.accounts);
  await inOrganization(context.organizationId, () =>
    transaction(async (client) => {
      await lockRecords(client, account, context.organizationId, [other.id]);
      await run(updateOperation("accounts"), context, { id, phone: "the first" });
      const [before] = await lockRecords(client, account, context.organizationId, [id]);
      await changeRecords(client, account, context, before ? [{ before, given: { phone: "the second" } }] : []);
    }),
  );
}

test("events of a record may be out of order; the highest version is the present record", async () => {
  const context = await createContext();
  const { id } = await run(createOperation("accounts"), context, NEEDED.accounts);
  await overtake(context, id);
  await run(deleteOperation("accounts"), context, { id });
  await run(restoreOperation("accounts"), context, { id });
  await settled();
  const emitted = (await feed(context, { order: "asc", record_id: id })).data.map(({ type, data }) => ({
    type,
    object: data.object as Answer,
  }));
  expect(emitted.map(({ type, object }) => `${type} ${object.version}`)).toEqual([
    "account.created 1",
    "account.updated 3",
    "account.updated 2",
    "account.deleted 3",
    "account.created 4",
  ]);
  const last = emitted.reduce((one, other) => (other.object.version > one.object.version ? other : one));
  expect(last.object).toEqual(await run(getOperation("accounts"), context, { id }));
});
