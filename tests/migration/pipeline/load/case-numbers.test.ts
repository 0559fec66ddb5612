import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { registerJobSender } from "@/lib/jobs";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import { upsertOperation } from "@/lib/records/ext-id-operations";
import { createOperation, deleteOperation, getOperation, restoreOperation } from "@/lib/records/operations";
import { purgeFilesOf } from "@/lib/files/purge-files";
import { purgeDeleted } from "@/lib/records/purge";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { undo } from "@/tests/migration/support/undo";
import { run } from "@/tests/records/support/write-operations";
import { ageDeletions } from "@/tests/support/age-deletions";
import { pool } from "@/tests/support/owner";

/** A migration of cases, and a member of its organization. */
async function start(): Promise<{ key: MigrationKey; context: Context }> {
  const key = await createMigration(["Case"]);
  const { rows } = await pool().query<{ user_id: string }>(
    "SELECT user_id FROM memberships WHERE organization_id = $1",
    [key.organizationId],
  );
  const userId = rows[0]?.user_id ?? "";
  const rights = {
    role: "admin" as const,
    clientId: null,
    scopes: new Set(["crm:write", "crm:read"] as const),
    address: null,
  };
  return { key, context: { requestId: newId(), organizationId: key.organizationId, userId, ...rights } };
}

async function createCase(context: Context) {
  const { id, case_number } = await run(createOperation("cases"), context, { subject: "Made here" });
  return { id, number: String(case_number) };
}

function sourceCases(numbers: readonly (string | null)[], first = 1) {
  return numbers.map((CaseNumber, index) =>
    sourceRecord("500", first + index, { CaseNumber, Subject: "From Salesforce" }),
  );
}

/** The imported record of a case of the source. */
async function imported({ organizationId }: MigrationKey, number: number) {
  return (await recordsOf("cases", organizationId))[sourceId("500", number)] as {
    id: string;
    case_number: string;
    custom_fields: object;
  };
}

async function forgetDeleted({ organizationId }: MigrationKey): Promise<void> {
  await ageDeletions(organizationId, 31);
  await purgeDeleted(purgeFilesOf);
}

test("an import never reuses the number of a deleted case, so that the case can be restored", async () => {
  const { key, context } = await start();
  const made = await createCase(context);
  await run(deleteOperation("cases"), context, { id: made.id });
  await runMigration(key, new ScriptedSource({ Case: sourceCases([made.number]) }));
  const restored = await run(restoreOperation("cases"), context, { id: made.id });
  expect(restored.case_number).toBe(made.number);
  const other = await imported(key, 1);
  expect(other.custom_fields).toEqual({ CaseNumber: made.number });
  expect(other.case_number).toBe("00000002");
});

test("nor after the deleted case is purged", async () => {
  const { key, context } = await start();
  const made = await createCase(context);
  await run(deleteOperation("cases"), context, { id: made.id });
  await forgetDeleted(key);
  await runMigration(key, new ScriptedSource({ Case: sourceCases([made.number]) }));
  expect((await imported(key, 1)).case_number).not.toBe(made.number);
  expect((await createCase(context)).number).not.toBe(made.number);
});

test("an imported case that was deleted and purged gets its number back when it is imported again", async () => {
  const { key, context } = await start();
  const own = new ScriptedSource({ Case: sourceCases(["CS-7"]) });
  await runMigration(key, own);
  const before = await imported(key, 1);
  await run(deleteOperation("cases"), context, { id: before.id });
  await forgetDeleted(key);
  await runMigration(key, new ScriptedSource({ Case: sourceCases(["CS-7"], 2) }));
  expect((await imported(key, 2)).case_number).toBe("00000001");
  await runMigration(key, own);
  expect(await imported(key, 1)).toMatchObject({ id: before.id, case_number: "CS-7" });
});

test("an undone import leaves its numbers to another import, and never to a new case", async () => {
  registerJobSender(async () => undefined);
  const { key, context } = await start();
  await runMigration(key, new ScriptedSource({ Case: sourceCases(["00001254"]) }));
  await undo(context, key);
  expect((await createCase(context)).number).toBe("00001255");
  const production = await createMigration(["Case"], undefined, key.organizationId);
  await runMigration(production, new ScriptedSource({ Case: sourceCases(["00001254"], 2) }));
  expect((await imported(key, 2)).case_number).toBe("00001254");
});

test("cases that are created, deleted and restored during an import are all restored", async () => {
  const { key, context } = await start();
  const made = [];
  for (let count = 0; count < 6; count += 1) made.push(await createCase(context));
  const numbers = Array.from({ length: 60 }, (_, index) => String(index + 1).padStart(8, "0"));
  const source = new ScriptedSource({ Case: sourceCases(numbers) });
  const comingAndGoing = made.map(async ({ id }) => {
    for (let round = 0; round < 5; round += 1) {
      await run(deleteOperation("cases"), context, { id });
      await createCase(context);
      await run(restoreOperation("cases"), context, { id });
    }
  });
  const deleted = await createCase(context);
  await run(deleteOperation("cases"), context, { id: deleted.id });
  await Promise.all([runMigration(key, source), ...comingAndGoing]);
  await run(restoreOperation("cases"), context, { id: deleted.id });
  for (const { id, number } of [...made, deleted]) {
    expect(await run(getOperation("cases"), context, { id })).toMatchObject({ case_number: number });
  }
  const { rows } = await pool().query<{ case_number: string }>(
    "SELECT case_number FROM cases WHERE organization_id = $1",
    [key.organizationId],
  );
  expect(new Set(rows.map(({ case_number }) => case_number)).size).toBe(rows.length);
});

test("numbers are unique across concurrent creates, batches, upserts, failed items and deletes", async () => {
  const { key, context } = await start();
  const data = { subject: "Made here" };
  const items = [
    { action: "create", data: { ...data, ext_id: "same" } },
    ...Array.from({ length: 9 }, () => ({ action: "create", data })),
  ];
  const ways = [
    () => createCase(context),
    () => run(batchOperation("cases"), context, { mode: "per_item", items }),
    () => run(batchOperation("cases"), context, { mode: "all_or_nothing", items }).catch(() => null),
    () => run(upsertOperation("cases"), context, { ext_id: newId(), ...data }),
    async () => run(deleteOperation("cases"), context, { id: (await createCase(context)).id }),
  ];
  await Promise.all(Array.from({ length: 4 }, () => ways.map((way) => way())).flat());
  const { rows } = await pool().query<{ number: string }>(
    `SELECT object ->> 'case_number' AS number FROM events WHERE organization_id = $1 AND type = 'case.created'`,
    [key.organizationId],
  );
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
});

test("an imported number longer than those of the series is not kept, so the series never reaches it", async () => {
  const { key, context } = await start();
  const [last, next] = ["999999999999999", "1000000000000000"];
  await runMigration(key, new ScriptedSource({ Case: sourceCases([next, last]) }));
  expect((await imported(key, 2)).case_number).toBe(last);
  expect((await imported(key, 1)).custom_fields).toEqual({ CaseNumber: next });
  const numbers = [await createCase(context), await createCase(context)].map(({ number }) => number);
  expect(new Set([...numbers, (await imported(key, 1)).case_number]).size).toBe(3);
});
