import { type Context, SCOPES } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { SourceRecord } from "@/lib/salesforce/query";
import {
  createMigration,
  type Finished,
  finishedOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startDelta } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

export const OBJECTS = ["Account", "Contact", "Case", "CaseComment"];

export function source(): ScriptedSource {
  const org = new ScriptedSource({
    Account: [1, 2, 3].map((number) => sourceRecord("001", number, { Name: `Account ${number}` })),
    Contact: [1, 2].map((number) =>
      sourceRecord("003", number, { LastName: `Contact ${number}`, AccountId: sourceId("001", number) }),
    ),
    Case: [1, 2].map((number) =>
      sourceRecord("500", number, { Subject: `Case ${number}`, CaseNumber: `0000${number}` }),
    ),
    CaseComment: [1, 2, 3].map((number) =>
      sourceRecord("00a", number, { ParentId: sourceId("500", 1), CommentBody: `Comment ${number}` }),
    ),
  });
  org.now = new Date();
  org.now.setUTCMilliseconds(0);
  return org;
}

/** A moment after the first run, by the clock of the source. */
function stamps(org: ScriptedSource): { SystemModstamp: string; LastModifiedDate: string } {
  const moment = `${org.now.toISOString().slice(0, 19)}.000+0000`;
  return { SystemModstamp: moment, LastModifiedDate: moment };
}

export async function imported(
  org: ScriptedSource,
  objects = OBJECTS,
  options: Parameters<typeof runMigration>[2] = {},
): Promise<MigrationKey> {
  const key = await createMigration(objects);
  await runMigration(key, org, options);
  org.now = new Date(org.now.getTime() + 60_000);
  return key;
}

/** A migration that has run, and another one of the same org. */
export async function two(org: ScriptedSource) {
  const first = await imported(org);
  const second = await createMigration(OBJECTS, undefined, first.organizationId);
  await pool().query(`UPDATE migrations SET report = report || '{"org": {"id": "00D1"}}' WHERE organization_id = $1`, [
    first.organizationId,
  ]);
  return { first, second };
}

export async function delta(key: MigrationKey, org: ScriptedSource, milliseconds?: number): Promise<Finished> {
  const changedBefore = org.now;
  org.now = new Date(changedBefore.getTime() + 60_000);
  const run = await transaction((tx) => startDelta(tx, key));
  await workToTheEnd(run, org, milliseconds);
  return finishedOf(key);
}

export function contextOf({ organizationId }: MigrationKey): Context {
  return {
    requestId: "test",
    organizationId,
    userId: "01900000-0000-7000-8000-000000000001",
    role: "admin",
    clientId: null,
    scopes: new Set(SCOPES),
    address: null,
  };
}

export function change(org: ScriptedSource, object: string, index: number, fields: SourceRecord): void {
  Object.assign(org.records[object]?.[index] ?? {}, stamps(org), fields);
}

/** Deletes a record for good, so that it is not in the recycle bin. */
export function purge(org: ScriptedSource, object: string, index: number): void {
  change(org, object, index, { IsDeleted: true });
  org.purged[object] = [...(org.purged[object] ?? []), ...(org.records[object]?.splice(index, 1) ?? [])];
}

/** Merges the first record of an object into the second. Nothing that is linked to them is stamped. */
export function merge(org: ScriptedSource, object: string, links: Record<string, string>): void {
  const [lost, kept] = org.records[object] ?? [];
  change(org, object, 0, { IsDeleted: true, MasterRecordId: kept?.Id });
  for (const [child, field] of Object.entries(links))
    for (const record of org.records[child] ?? []) if (record[field] === lost?.Id) record[field] = kept?.Id;
}

export function add(org: ScriptedSource, object: string, record: SourceRecord): void {
  const created = stamps(org).SystemModstamp;
  org.records[object]?.push({ ...record, ...stamps(org), CreatedDate: created });
}

export async function deletedOf(key: MigrationKey): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ object: string; deleted: number }>(
    "SELECT object, deleted::int FROM migration_objects WHERE migration_id = $1 AND deleted > 0",
    [key.migrationId],
  );
  return Object.fromEntries(rows.map(({ object, deleted }) => [object, deleted]));
}
