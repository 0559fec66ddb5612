import { createHash } from "node:crypto";

import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { openStorage } from "@/lib/files/open-storage";
import { contentKey } from "@/lib/files/file-storage";
import { acquireExportSlot } from "@/lib/http/api/concurrency-limit";
import { newId } from "@/lib/ids";
import { deleteOperation } from "@/lib/records/operations";
import { EXPORTED_TABLES, LEFT_OUT_TABLES } from "@/lib/settings/organization/export/exported-tables";
import { attachments, noAttachments } from "@/lib/settings/organization/export/attachments";
import { readerOf, readPages } from "@/lib/settings/organization/export/read-table";
import { callRoute } from "@/tests/http/support/call-route";
import { populate } from "@/tests/http/matrix/support/populated";
import { createSides, makeFile, makeMember, type Side } from "@/tests/http/matrix/support/side";
import { run, toldOf } from "@/tests/sessions/support/people";
import { exported, linesOf, manifestOf, startExport } from "@/tests/settings/support/exported";
import { isExhaustive } from "@/tests/support/exhaustive";
import { createContext, createSession, insertRecord } from "@/tests/support/factories";
import { sealSessionId, SESSION_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import { pool } from "@/tests/support/owner";

async function tablesOfOrganizations(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     JOIN pg_attribute o ON o.attrelid = c.oid AND o.attname = 'organization_id' AND NOT o.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

test("every table with an organization's rows is exported, or left out for a reason in the manifest", async () => {
  const said = [...EXPORTED_TABLES.map(({ name }) => name), ...Object.keys(LEFT_OUT_TABLES)];
  expect(said.toSorted(), "lib/settings/organization/export/exported-tables.ts").toEqual(await tablesOfOrganizations());
  expect(Object.values(LEFT_OUT_TABLES).filter((reason) => !/\w{3}.*\.$/.test(reason))).toEqual([]);
});

test("no exported column is a secret, by its type or its name", async () => {
  const columns = await Promise.all(
    EXPORTED_TABLES.map(async (table) => (await readerOf(table)).columns.map((column) => `${table.name}.${column}`)),
  );
  const telling = columns.flat().filter((column) => /secret|password|token|hash|digest|verifier|_enc$/.test(column));
  // When an old secret stops working is no secret.
  expect(telling).toEqual(["webhooks.previous_secret_expires_at"]);
  expect(columns.flat()).toContain("memberships.email");
});

/** Each export is in the audit log that it has. */
function isNoExport({ action }: Record<string, unknown>): boolean {
  return action !== "organization.exported";
}

/** The values of a row as CSV has them. */
function asTexts(row: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)]));
}

function asText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The rows of a CSV file, without the apostrophes before formulas. */
function readCsv(content: Buffer = Buffer.alloc(0)): Record<string, string>[] {
  const rows: Record<string, string>[] = parse(content, { bom: true, columns: true });
  return rows
    .filter(isNoExport)
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value.replace(/^'(?=\s*[=+@-])/, "")])),
    );
}

describe("an export", () => {
  let side: Side;
  let context: Context;

  beforeAll(async () => {
    ({ ours: side } = await createSides());
    context = { ...side.context, clientId: null };
    const [{ base }] = (await populate([side])) as [Awaited<ReturnType<typeof populate>>[number]];
    await run(deleteOperation("products"), side.context, { id: base.products });
    await insertRecord("accounts", side.organizationId, {
      name: "=1+1",
      annual_revenue: "12345678901234.56",
      description: 'Two\nlines, "quoted", ä',
      custom_fields: { Tier__c: "gold", Score__c: 1.5 },
    });
  });

  test("has counts and digests that hold, and says what is left out", async () => {
    const files = await exported(context);
    const manifest = manifestOf(files);
    expect(manifest).toMatchObject({ schema_version: 1, format: "ndjson", organization: { name: "Alpine Tools" } });
    const held = manifest.files.map(({ name }) => {
      const content = files.get(name) ?? Buffer.alloc(0);
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { name, rows: linesOf(files, name).length, bytes: content.byteLength, sha256 };
    });
    expect(manifest.files).toEqual(held);
    expect([...files.keys()].at(-1)).toBe("manifest.json");
    const said = new Set(manifest.left_out.map(({ what }) => what));
    expect([...said]).toEqual(expect.arrayContaining(["passwords of members", "table sessions"]));
    expect(linesOf(files, "members.ndjson")).toContainEqual(
      expect.objectContaining({ user_id: side.userId, name: side.marker, role: "admin" }),
    );
    // One, beside those that the side was populated with.
    expect(linesOf(files, "deleted_records.ndjson")).toHaveLength(4);
  });

  test("has each row of the database as it is", async () => {
    const files = await exported(context);
    const { rows } = await pool().query<{ record: Record<string, unknown> }>(
      `SELECT to_jsonb(a) - ARRAY['organization_id', 'source_digest', 'created_at', 'updated_at'] AS record
       FROM accounts a WHERE organization_id = $1 ORDER BY id`,
      [side.organizationId],
    );
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(linesOf(files, "accounts.ndjson")).toEqual(
      rows.map(({ record }) => ({ ...record, created_at: time, updated_at: time })),
    );
    expect(String(files.get("accounts.ndjson"))).toContain('"annual_revenue":12345678901234.56');
  });

  test("has the same rows as CSV, in which formulas are texts", async () => {
    const [lines, tables] = [await exported(context), await exported(context, "csv")];
    const names = EXPORTED_TABLES.map(({ name, file = name }) => file);
    const rows = names.map((name) => readCsv(tables.get(`${name}.csv`)));
    expect(rows).toEqual(names.map((name) => linesOf(lines, `${name}.ndjson`).filter(isNoExport).map(asTexts)));
    expect(String(tables.get("accounts.csv"))).toContain(`"'=1+1"`);
  });

  test("is in the audit log when it begins, also if it is broken off", async () => {
    const before = await toldOf(side.organizationId, "organization.exported");
    const unread = await startExport(context, "csv");
    await unread.cancel();
    expect(await toldOf(side.organizationId, "organization.exported")).toEqual(before);
    const reader = (await startExport(context, "csv")).getReader();
    await reader.read();
    await reader.cancel();
    const after = await toldOf(side.organizationId, "organization.exported");
    expect(after.slice(before.length)).toEqual([
      expect.objectContaining({ user_id: side.userId, details: { format: "csv" } }),
    ]);
  });

  test("can be begun 20 times in an hour by an organization, since the audit log keeps each", async () => {
    const own = { ...(await createContext({ role: "admin" })), clientId: null };
    for (let begun = 0; begun < 20; begun += 1) await (await startExport(own)).cancel();
    await expect(startExport(own)).rejects.toMatchObject({
      code: "too_many_requests",
      message: expect.stringContaining("exported too often"),
    });
  });

  test("names contents that are missing, and says how many more there are than it may hold", async () => {
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM files WHERE organization_id = $1 ORDER BY id", [
      side.organizationId,
    ]);
    const [gone = "", ...others] = rows.map(({ id }) => id);
    await openStorage().remove(contentKey(side.organizationId, gone));
    const files = await exported(context);
    expect(manifestOf(files).contents).toMatchObject({ included: 2, missing: 1, missing_ids: [gone], not_included: 0 });
    expect([...files.keys()].filter((name) => name.startsWith("files/"))).toEqual(
      others.map((id) => `files/${id}/${side.marker}.txt`),
    );
    const summary = noAttachments();
    let included = 0;
    for await (const { content } of attachments(side.organizationId, summary, 1)) {
      for await (const _ of content);
      included += 1;
    }
    expect([included, summary.not_included]).toEqual([1, 1]);
  });

  test("begins with the contents of deleted records, which nobody can fetch one by one", async () => {
    const caseId = await insertRecord("cases", side.organizationId);
    const last = await makeFile(side, caseId);
    await run(deleteOperation("cases"), side.context, { id: caseId });
    const names: string[] = [];
    for await (const { name, content } of attachments(side.organizationId, noAttachments())) {
      for await (const _ of content);
      names.push(name);
    }
    expect(names[0]).toContain(last);
    expect(new Set(names).size).toBe(names.length);
  });

  test("and of those that only an undo can bring back", async () => {
    const removed = newId();
    const last = await makeFile(side, removed);
    await pool().query(
      `INSERT INTO migration_changes (organization_id, migration_id, resource, record_id, changed_at, version, before)
       VALUES ($1, $2, 'cases', $3, now(), NULL, '{}')`,
      [side.organizationId, newId(), removed],
    );
    const names: string[] = [];
    for await (const { name } of attachments(side.organizationId, noAttachments(), 2)) names.push(name);
    expect(names.join()).toContain(last);
  });

  test("breaks off when its admin is no admin any more", async () => {
    const other = await makeMember(side);
    await pool().query("UPDATE memberships SET role = 'admin' WHERE user_id = $1", [other]);
    const reader = (await startExport({ ...context, userId: other })).getReader();
    await reader.read();
    await pool().query("UPDATE memberships SET role = 'member' WHERE user_id = $1", [other]);
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toMatchObject({
      name: "AppError",
      code: "forbidden",
      message: expect.stringContaining("no admin"),
    });
  });

  test("is for admins who are signed in, one at a time", async () => {
    const path = "/settings/organization/export";
    const member = await createContext({ organizationId: side.organizationId, role: "member" });
    const cookie = `${SESSION_COOKIE}=${await sealSessionId(await createSession(member))}`;
    expect((await callRoute("GET", path, { cookie })).status).toBe(403);
    expect((await callRoute("GET", path, side.bearer)).status).toBe(403);
    const end = acquireExportSlot(side.organizationId, "organization");
    const refused = await callRoute("GET", path, side.admin);
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining("is being exported already")]);
    end();
    const answer = await callRoute("GET", `${path}?format=csv`, side.admin);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="all-data-[\d-]+-csv\.zip"$/);
  });
});

const MANY = `
  INSERT INTO audit_events (organization_id, id, created_at, action, details)
  SELECT $1, ('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), 'sign_out',
    jsonb_build_object('n', n, 'long', CASE WHEN n % 10000 = 0 THEN repeat('long ', 100000) END)
  FROM generate_series(1, $2) AS n`;

const ROWS = isExhaustive ? 100_000 : 30_000;

const OPEN = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in trans%'";

test("of many rows a page of at most a few megabytes is in memory, and no transaction is open", async () => {
  const { organizationId } = await createContext();
  await pool().query(MANY, [organizationId, ROWS]);
  // As autovacuum does.
  await pool().query("ANALYZE audit_events");
  const sizes: number[] = [];
  let [rows, open, first] = [0, 0, 0];
  for await (const page of readPages(organizationId, await readerOf({ name: "audit_events" }))) {
    first ||= page.length;
    rows += page.length;
    sizes.push(page.reduce((bytes, line) => bytes + Buffer.byteLength(line), 0));
    const { rowCount } = await pool().query(OPEN);
    open += rowCount ?? 0;
  }
  expect([rows, open]).toEqual([ROWS, 0]);
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
  // PostgreSQL makes JSON of all rows that a page asks for before it looks at their sizes, and all may be large.
  expect(first).toBeLessThan(100);
});
