import { z } from "zod";

import { AppError } from "@/lib/errors";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import { pauseMigration as pause } from "@/lib/migration/runs/control-run";
import { previewMigration as preview } from "@/lib/migration/preview/preview-migration";
import { getMigration, getReport, listMigrations as list } from "@/lib/migration/read-migrations";
import type { RecordIssue } from "@/lib/migration/issue-schema";
import { listRecordIssues } from "@/lib/migration/record-issues";
import type { Report } from "@/lib/migration/report/report-schema";
import { startMigration } from "@/lib/migration/runs/start-migration";
import { inTools } from "@/lib/mcp/refusal";
import { defineTool } from "@/lib/mcp/tool";
import { id, nextCursor, pageInput, UNTRUSTED } from "@/lib/mcp/tools/shown-record";
import { plainValue } from "@/lib/mcp/untrusted-text";
import { execute, valueOf } from "@/lib/operation";

/** The shape of a result that an operation documents; texts in it are cut, and empty values left out. */
const shown = z.record(z.string(), z.unknown());

type Shown = z.infer<typeof shown>;

const shownPage = z.object({ data: z.array(shown), next_cursor: nextCursor });

function paged({ limit, cursor }: { limit: number; cursor?: string | undefined }) {
  return { limit, ...(cursor !== undefined && { cursor }) };
}

export const listMigrations = defineTool({
  name: "list_migrations",
  title: "List migrations",
  description: `The migrations from Salesforce, newest first, with their status and counts. ${UNTRUSTED}`,
  scopes: ["crm:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject(pageInput),
  output: shownPage,
  async run(context, input) {
    const { data, next_cursor } = valueOf(await execute(list, context, paged(input)));
    return { data: data.map(shownMigration), next_cursor };
  },
});

/** Whether a migration is reconciled is told also if it is not: absent, it is not known yet. */
function shownMigration(migration: Migration): Shown {
  const { reconciled } = migration;
  return { ...(plainValue(migration) as Shown), ...(reconciled !== null && { reconciled }) };
}

export const migrationStatus = defineTool({
  name: "migration_status",
  title: "Look at a migration",
  description: `The status of one migration: what it does or waits for, and the counts of every object. ${UNTRUSTED}`,
  scopes: ["crm:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject({ migration_id: id }),
  output: shown,
  run: async (context, input) => shownMigration(valueOf(await execute(getMigration, context, input))),
});

interface Wanted {
  object?: string | undefined;
  offset: number;
}

/** Orgs have hundreds of objects and automations, and objects up to 800 fields: more than a result can hold. */
const MAX_LISTED = 100;

function listed(name: string, all: readonly unknown[], offset: number): Shown {
  const end = offset + MAX_LISTED;
  return { [name]: all.slice(offset, end), total: all.length, next_offset: end < all.length ? end : null };
}

/** Throws `invalid_request` for an object that the report does not have. */
function fieldsOf(inventory: Report["inventory"], object: string | undefined) {
  const found = inventory.find((entry) => entry.object === object);
  if (found) return found.fields;
  const described = inventory.flatMap((entry) => (entry.fields.length > 0 ? [entry.object] : []));
  const detail = `Name one of the objects whose fields are known: ${described.join(", ")}.`;
  const code = object === undefined ? "required" : "invalid_value";
  throw new AppError("invalid_request", "`fields` needs an `object`.", {
    errors: [{ pointer: "/object", code, detail }],
  });
}

const SECTIONS = {
  summary: ({ readiness, estimate, risks, org }: Report) => ({
    org,
    readiness,
    estimate: { ...estimate, timeline: undefined },
    risks: risks.map(({ severity, title, count }) => ({ severity, title, count })),
  }),
  objects: ({ inventory }: Report, { offset }: Wanted) => {
    const counted = inventory.map((entry) => ({ ...entry, fields: entry.fields.length }));
    return listed("objects", counted, offset);
  },
  fields: ({ inventory }: Report, { object, offset }: Wanted) => listed("fields", fieldsOf(inventory, object), offset),
  risks: ({ risks }: Report) => ({ risks }),
  automations: ({ automations, automation_list: named }: Report, { offset }: Wanted) => ({
    automations,
    ...(named && { ...listed("named", named.data, offset), more: named.more }),
  }),
  quality: ({ quality }: Report) => ({ quality }),
  timeline: ({ estimate }: Report) => ({ timeline: estimate.timeline, budget: estimate.budget }),
};

type Section = keyof typeof SECTIONS;

export const migrationReport = defineTool({
  name: "migration_report",
  title: "Read a readiness report",
  description:
    "What the analysis of a Salesforce org found, one section at a time: summary first. `fields` needs `object`. " +
    UNTRUSTED,
  scopes: ["crm:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject({
    migration_id: id,
    section: z.enum(Object.keys(SECTIONS) as [Section, ...Section[]]).default("summary"),
    object: sourceObjectName.optional(),
    offset: z.int().min(0).default(0).describe("`next_offset` of the objects, fields or automations before."),
  }),
  output: shown,
  async run(context, { migration_id, section, ...wanted }) {
    const report = valueOf<Report>(await execute(getReport, context, { migration_id }));
    return plainValue(SECTIONS[section](report, wanted), 500) as Shown;
  },
});

export const previewMigration = defineTool({
  name: "preview_migration",
  title: "Preview a migration",
  description:
    "What a run would make of a few sampled records, field by field. They are stored as a run does it and rolled " +
    `back, so nothing remains. ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "reads",
  idempotent: true,
  openWorld: true,
  input: z.strictObject({
    migration_id: id,
    object: sourceObjectName,
    count: z.int().min(1).max(5).default(2),
  }),
  output: shown,
  run: async (context, input) => plainValue(valueOf(await execute(preview, context, input)), 200) as Shown,
});

export const runMigration = defineTool({
  name: "run_migration",
  title: "Run a migration",
  description:
    "Start or repeat a migration with its stored configuration. It writes many records; ask the user first. Watch it " +
    `with migration_status. ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "changes",
  idempotent: false,
  openWorld: true,
  input: z.strictObject({ migration_id: id }),
  output: shown,
  run: async (context, input) => plainValue(valueOf(await execute(startMigration, context, input))) as Shown,
});

export const pauseMigration = defineTool({
  name: "pause_migration",
  title: "Pause a migration",
  description: `Pause a running migration. A person resumes it where it stopped. ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "changes",
  idempotent: true,
  input: z.strictObject({ migration_id: id }),
  output: shown,
  run: async (context, input) => plainValue(valueOf(await execute(pause, context, input))) as Shown,
});

export const migrationErrors = defineTool({
  name: "migration_errors",
  title: "List what was left out",
  description: `The source records that the last run skipped or failed, each with its reason and remedy. ${UNTRUSTED}`,
  scopes: ["crm:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject({
    migration_id: id,
    object: sourceObjectName.optional(),
    code: z.string().max(100).optional(),
    ...pageInput,
  }),
  output: shownPage,
  async run(context, { migration_id, object, code, ...rest }) {
    const filter = { migration_id, ...(object && { object }), ...(code !== undefined && { code }) };
    const { data, next_cursor } = valueOf(await execute(listRecordIssues, context, { ...filter, ...paged(rest) }));
    return { data: data.map(shownIssue), next_cursor };
  },
});

/** What a remedy asks for and no tool does. */
const FOR_PEOPLE = /retry|configuration|Restore|Decide/;

const BY_PEOPLE = "Only a person can retry, restore, decide or change the configuration, in the pages of the service.";

function shownIssue(issue: RecordIssue): Shown {
  return plainValue({ ...issue, remedy: issue.remedy && remedyInTools(issue.remedy) }, 500) as Shown;
}

function remedyInTools(remedy: string): string {
  const told = inTools(remedy);
  return FOR_PEOPLE.test(told) ? `${told} ${BY_PEOPLE}` : told;
}
