import type { Context } from "@/lib/context";
import { decideConflicts } from "@/lib/migration/conflicts/decide-conflicts";
import { listConflicts } from "@/lib/migration/conflicts/list-conflicts";
import type { Repeat } from "@/lib/migration/configuration/configuration-schema";
import { updateOperation } from "@/lib/records/operations";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";

export const account = (number: number, fields: object = {}) =>
  sourceRecord("001", number, { Name: `Account ${number}`, Phone: "1", Region__c: "North", ParentId: null, ...fields });

export const [FIRST, SECOND, THIRD, FOURTH] = [1, 2, 3, 4].map((number) => sourceId("001", number)) as [
  string,
  string,
  string,
  string,
];

export interface Imported {
  key: Awaited<ReturnType<typeof createMigration>>;
  context: Context;
  source: ScriptedSource;
  ids: Record<string, string>;
}

/** Four accounts, of which the first two are edited here and the first three change in the source. */
export async function editedOnBothSides(): Promise<Imported> {
  const key = await createMigration(["Account"]);
  const context = await createContext({ organizationId: key.organizationId });
  const source = new ScriptedSource({ Account: [1, 2, 3, 4].map((number) => account(number)) });
  await runMigration(key, source);
  const ids = await idsIn(key.organizationId);
  await edit(context, ids[FIRST], { name: "Ours", custom_fields: { Note: "seen", Region__c: "East" } });
  await edit(context, ids[SECOND], { phone: "2" });
  change(source, 1, { Name: "Theirs", Industry: "Energy" });
  change(source, 2, { Phone: "3" });
  change(source, 3, { Phone: "3" });
  return { key, context, source, ids };
}

async function idsIn(organizationId: string): Promise<Record<string, string>> {
  const accounts = await recordsOf("accounts", organizationId);
  return Object.fromEntries(Object.entries(accounts).map(([extId, { id }]) => [extId, String(id)]));
}

export const edit = (context: Context, id: string | undefined, values: object) =>
  run(updateOperation("accounts"), context, { id, ...values });

export function change(source: ScriptedSource, number: number, values: object): void {
  Object.assign(source.records.Account?.[number - 1] ?? {}, values);
}

export async function rerun({ key, source }: Pick<Imported, "key" | "source">, repeat: Repeat) {
  const { status, lines } = await runMigration(key, source, { configuration: { repeat } });
  const { created, updated, unchanged, skipped, failed } = lines.Account ?? {};
  return [status, { created, updated, unchanged, skipped, failed }];
}

interface Listed {
  id: string;
  record_id: string;
  name: string | null;
  state: string;
  fields: { field: string; ours: unknown; source: unknown; taken: string | null }[];
}

export async function conflictsOf(
  { context, key }: Pick<Imported, "context" | "key">,
  query: object = {},
): Promise<Listed[]> {
  const page = await run(listConflicts, context, { migration_id: key.migrationId, ...query });
  return (page as unknown as { data: Listed[] }).data;
}

export async function conflictOf(imported: Imported, extId: string): Promise<Listed | undefined> {
  return (await conflictsOf(imported)).find((one) => one.record_id === imported.ids[extId]);
}

export const decide = ({ context, key }: Pick<Imported, "context" | "key">, given: object) =>
  run(decideConflicts, context, { migration_id: key.migrationId, ...given });

export const DONE = { has_more: false };
