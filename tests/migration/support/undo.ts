import { inOrganization } from "@/lib/database/organization-scope";
import type { Context } from "@/lib/context";
import { NEEDED } from "@/tests/support/factories";
import { findMigration } from "@/lib/migration/find-migration";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { listKeptRecords, undoMigration } from "@/lib/migration/undo/undo-migration";
import { workUndo } from "@/lib/migration/undo/work-undo";
import { createOperation } from "@/lib/records/operations";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

export const OBJECTS = ["Account", "Contact", "Case", "CaseComment", "EmailMessage", "Task", "Event"];

const TABLES = [
  "accounts",
  "contacts",
  "cases",
  "case_comments",
  "activities",
  "leads",
  "opportunities",
  "products",
  "ext_aliases",
  "waiting_links",
  "deleted_records",
  "retired_case_numbers",
  "events",
];

/** Every row of an organization's content, but the times and versions of what was restored. */
export async function dump(
  organizationId: string,
  without: readonly string[] = ["version", "updated_at", "imported_version"],
) {
  const dumped: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    const { rows } = await pool().query<{ row: unknown }>(
      `SELECT to_jsonb(t) - $2::text[] AS row FROM ${table} t WHERE organization_id = $1 ORDER BY t::text`,
      [organizationId, without],
    );
    dumped[table] = rows.map(({ row }) => JSON.stringify(row)).toSorted();
  }
  return dumped;
}

export const [ACME, BETA, CHILD] = [1, 2, 3].map((number) => sourceId("001", number));

/** An org with everything that an import links, mirrors and numbers. */
export function org(name = "Acme"): ScriptedSource {
  return new ScriptedSource({
    Account: [
      sourceRecord("001", 1, { Name: name, ParentId: null }),
      sourceRecord("001", 2, { Name: "Beta", ParentId: ACME }),
      sourceRecord("001", 3, { Name: "Child", ParentId: BETA }),
    ],
    Contact: [
      sourceRecord("003", 1, { LastName: "One", AccountId: ACME, ReportsToId: sourceId("003", 2) }),
      sourceRecord("003", 2, { LastName: "Two", AccountId: CHILD, ReportsToId: null }),
    ],
    Case: [
      sourceRecord("500", 1, { Subject: "First", CaseNumber: "00001001", AccountId: ACME, ParentId: null }),
      sourceRecord("500", 2, { Subject: "Second", CaseNumber: "00001002", ContactId: sourceId("003", 1) }),
    ],
    CaseComment: [
      sourceRecord("00a", 1, { ParentId: sourceId("500", 1), CommentBody: "Hello" }),
      sourceRecord("00a", 2, { ParentId: sourceId("500", 2), CommentBody: "World" }),
    ],
    EmailMessage: [
      sourceRecord("02s", 1, { ParentId: sourceId("500", 1), Subject: "Mail", ActivityId: sourceId("00T", 1) }),
    ],
    Task: [
      sourceRecord("00T", 1, { Subject: "Email: Mail", WhatId: sourceId("500", 1) }),
      sourceRecord("00T", 2, { Subject: "Call", WhoId: sourceId("003", 1), AccountId: ACME }),
    ],
    Event: [sourceRecord("00U", 1, { Subject: "Visit", WhatId: ACME })],
  });
}

export async function undo(context: Context, { migrationId }: MigrationKey): Promise<void> {
  await run(undoMigration, context, { migration_id: migrationId });
  await workOnUndo(context, migrationId);
}

/** Works on an undo to its end. Each slice ends after one page, as one that is killed behind it. */
export async function workOnUndo(
  { organizationId }: Pick<Context, "organizationId">,
  migrationId: string,
): Promise<void> {
  const { rows } = await pool().query<{ undo_number: number }>(`SELECT undo_number FROM migrations WHERE id = $1`, [
    migrationId,
  ]);
  const key = { organizationId, migrationId, undoNumber: rows[0]?.undo_number ?? 0 };
  while ((await inOrganization(organizationId, () => workUndo(key, 0))) === "more");
}

export async function keptOf(context: Context, { migrationId }: MigrationKey) {
  const page = await run(listKeptRecords, context, { migration_id: migrationId });
  return Object.fromEntries(
    (page as unknown as { data: { record_id: string; code: string; kept_by: unknown }[] }).data.map((kept) => [
      kept.record_id,
      [kept.code, kept.kept_by],
    ]),
  );
}

export async function ownRecords(context: Context) {
  const account = await run(createOperation("accounts"), context, { ...NEEDED.accounts, ext_id: "own" });
  const contact = await run(createOperation("contacts"), context, { ...NEEDED.contacts, account_id: account.id });
  const own = await run(createOperation("cases"), context, { ...NEEDED.cases, contact_id: contact.id });
  await run(createOperation("case_comments"), context, { case_id: own.id, body: "Ours" });
  return { account, contact, case: own };
}

export async function statusOf({ organizationId, migrationId }: MigrationKey) {
  const { status, undo: progress } = await inOrganization(organizationId, () =>
    findMigration(organizationId, migrationId),
  );
  return { status, progress };
}
