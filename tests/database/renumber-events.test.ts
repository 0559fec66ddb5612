import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { createOperation } from "@/lib/records/operations";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { feed, settled } from "@/tests/records/support/read-events";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const { DATABASE_OWNER_URL: ownerUrl = "", DATABASE_URL: runtimeUrl } = process.env;

function prepare(owner = ownerUrl): Promise<unknown> {
  return prepareDatabase(owner, { runtimeUrl, secrets: ["any"] });
}

async function create(context: Context, name: string): Promise<void> {
  await run(createOperation("accounts"), context, { name });
}

/** Gives the events the numbers of a server that has counted far further, and its name. */
async function comeFromAnotherServer(): Promise<void> {
  await pool().query("UPDATE events SET tx = tx + 5000000000");
  await pool().query("COMMENT ON TABLE events IS 'numbered by server 1'");
}

async function namesInOrder(context: Context, input: object = {}): Promise<string[]> {
  await settled();
  const { data } = await feed(context, { order: "asc", ...input });
  return data.map(({ data: { object } }) => (object as { name: string }).name);
}

test("events of a restored dump stay readable in their order, before what is written next", async () => {
  await prepare();
  const [context, other] = [await createContext(), await createContext()];
  for (const name of ["first", "second"]) await create(context, name);
  await create(other, "of another organization");
  await pool().query(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
     SELECT organization_id, gen_random_uuid(), id, tx + 5000000000, type, created_at, now() FROM events`,
  );
  await comeFromAnotherServer();
  await create(context, "third");
  expect(await namesInOrder(context)).toEqual(["third"]);
  await pool().query("DELETE FROM events WHERE organization_id = $1 AND object->>'name' = 'third'", [
    context.organizationId,
  ]);
  await prepare();
  expect(await namesInOrder(context)).toEqual(["first", "second"]);
  expect(await namesInOrder(other)).toEqual(["of another organization"]);
  const { data } = await feed(context, { order: "asc" });
  await create(context, "fourth");
  expect(await namesInOrder(context, { cursor: data.at(-1)?.id })).toEqual(["fourth"]);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect(await namesInOrder(context, { "created_at[gte]": since })).toEqual(["first", "second", "fourth"]);
  const { rows } = await pool().query(
    "SELECT FROM webhook_deliveries d JOIN events e ON e.id = d.event_id WHERE d.event_tx <> e.tx",
  );
  expect(rows).toEqual([]);
});

async function numbers(): Promise<unknown[]> {
  return (await pool().query("SELECT id, tx FROM events ORDER BY id")).rows;
}

test("the events of this server keep their numbers, whatever a comment says", async () => {
  const context = await createContext();
  await create(context, "only");
  const before = await numbers();
  await pool().query("COMMENT ON TABLE events IS 'numbered by server 1'");
  await prepare();
  expect(await numbers()).toEqual(before);
});
