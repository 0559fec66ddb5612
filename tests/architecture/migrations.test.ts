import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { splitStatements } from "@/scripts/postgres/apply-script";

const MIGRATIONS = "prisma/migrations";

/** Those up to this one belong to the first release, beside which no older one serves. */
const LAST_OF_FIRST_RELEASE = "20261126080608_idempotency_committed";

/** Later ones that take away what the release before no longer uses. */
const CONTRACTIONS = new Set<string>();

const names = readdirSync(MIGRATIONS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();

function readScript(name: string): string {
  return readFileSync(join(MIGRATIONS, name, "migration.sql"), "utf8");
}

/** The statements of a script, without comments and bodies of functions. */
function statementsOf(script: string): string[] {
  return splitStatements(script.replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''"));
}

/** What the release before could not live with, or what would keep it from the table for long. */
const NOT_EXPANDING: [RegExp, string][] = [
  [/^DROP (?!INDEX CONCURRENTLY|POLICY)/i, "drops what the release before may use"],
  [/^ALTER TABLE .*\bDROP (?:COLUMN|CONSTRAINT|DEFAULT)\b/i, "drops what the release before may use"],
  [/^(?:DELETE|UPDATE)\b/i, "changes rows that the release before has written"],
  [/\bRENAME\b/i, "renames what the release before uses"],
  [/^TRUNCATE\b/i, "deletes rows"],
  [/\bSET NOT NULL\b/i, "refuses rows that the release before writes"],
  [/\bADD COLUMN (?:(?!,).)*\b(?:DEFAULT (?!now\(\))\w+\(|REFERENCES\b)/i, "rewrites or reads the table under a lock"],
  [/\bADD (?:CONSTRAINT \S+ )?(?:UNIQUE|PRIMARY KEY)\b(?!.*USING INDEX)/i, "makes an index under a lock: USING INDEX"],
  [/\bALTER COLUMN \S+ (?:SET DATA )?TYPE\b/i, "rewrites the table"],
  [/\bADD COLUMN (?:(?!,|\bADD\b).)*\bNOT NULL(?:(?!,|\bDEFAULT\b).)*(?:,|$)/i, "needs a default"],
  [
    /\bADD CONSTRAINT (?:(?!NOT VALID).)*\b(?:FOREIGN KEY|CHECK)\b(?:(?!NOT VALID).)*$/i,
    "reads the table under a lock: NOT VALID",
  ],
];

/** The table that a statement changes, if it names one. */
function tableOf(statement: string): string {
  const found =
    /^ALTER TABLE (?:ONLY )?(\S+)/i.exec(statement)?.[1] ??
    /^CREATE (?:UNIQUE )?INDEX .*? ON ([^\s(]+)/i.exec(statement)?.[1];
  return found ?? "";
}

function faultsOf(script: string): string[] {
  const statements = statementsOf(script);
  const created = new Set(
    statements.flatMap((each) => /^CREATE TABLE (?:IF NOT EXISTS )?(\S+)/i.exec(each)?.[1] ?? []),
  );
  return statements.flatMap((statement) => {
    if (created.has(tableOf(statement))) return [];
    const why = NOT_EXPANDING.find(([pattern]) => pattern.test(statement))?.[1];
    const isLocking = /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)/i.test(statement);
    return [
      ...(why ? [`${statement}: ${why}`] : []),
      ...(isLocking ? [`${statement}: keeps writers away: CONCURRENTLY`] : []),
    ];
  });
}

/** A script is applied in one transaction, or statement by statement, and then it must be one that can be repeated. */
function isAppliedSafely(script: string): boolean {
  const statements = statementsOf(script);
  if (!/\bCONCURRENTLY\b/i.test(script))
    return !statements.some((each) => /^(?:BEGIN|COMMIT|ROLLBACK|START|VACUUM|CREATE DATABASE|REINDEX)\b/i.test(each));
  return statements.every((statement, index) => {
    if (/^DROP INDEX CONCURRENTLY IF EXISTS /i.test(statement)) return true;
    const rebuilt = /^REINDEX INDEX CONCURRENTLY (\S+)$/i.exec(statement)?.[1];
    // What a broken attempt has left under these names would cost every write.
    if (rebuilt !== undefined)
      return ["_ccnew", "_ccold"].every((left) =>
        statements.slice(0, index).includes(`DROP INDEX CONCURRENTLY IF EXISTS ${rebuilt}${left}`),
      );
    const made = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\S+) /i.exec(statement)?.[1];
    return made !== undefined && statements[index - 1] === `DROP INDEX CONCURRENTLY IF EXISTS ${made}`;
  });
}

test.each(names)("%s can be interrupted and applied again", (name) => {
  expect(isAppliedSafely(readScript(name))).toBe(true);
});

test("the migrations of later releases only add, so that the release before serves on beside them", () => {
  expect(names).toContain(LAST_OF_FIRST_RELEASE);
  const later = names.filter((name) => name > LAST_OF_FIRST_RELEASE && !CONTRACTIONS.has(name));
  expect(later.flatMap((name) => faultsOf(readScript(name)).map((fault) => `${name}: ${fault}`))).toEqual([]);
});

describe("what these tests find", () => {
  test.each([
    "DROP TABLE accounts",
    "ALTER TABLE accounts DROP COLUMN name",
    "ALTER TABLE accounts RENAME COLUMN name TO title",
    "ALTER TABLE accounts ALTER COLUMN name SET NOT NULL",
    "ALTER TABLE accounts ALTER COLUMN name TYPE varchar(10)",
    "ALTER TABLE accounts ADD COLUMN size int NOT NULL",
    "ALTER TABLE accounts ADD COLUMN size int NOT NULL, ADD COLUMN other int DEFAULT 1",
    "ALTER TABLE accounts ADD CONSTRAINT positive CHECK (size > 0)",
    "CREATE INDEX by_name ON accounts (name)",
    "TRUNCATE accounts",
    "ALTER TABLE accounts ADD COLUMN code uuid DEFAULT gen_random_uuid()",
    "ALTER TABLE accounts ADD COLUMN parent uuid REFERENCES accounts (id)",
    "ALTER TABLE accounts ADD CONSTRAINT by_name UNIQUE (name)",
    "ALTER TABLE accounts ALTER COLUMN name DROP DEFAULT",
    "DROP FUNCTION sort_key",
    "UPDATE accounts SET name = ''",
  ])("%s does not only add", (statement) => {
    expect(faultsOf(`-- A comment\n${statement};\n`)).toHaveLength(1);
  });

  test.each([
    "ALTER TABLE accounts ADD COLUMN size int",
    "ALTER TABLE accounts ADD COLUMN size int NOT NULL DEFAULT 0",
    "ALTER TABLE accounts ADD CONSTRAINT positive CHECK (size > 0) NOT VALID",
    'CREATE TABLE "sizes" (id uuid); CREATE INDEX "by_id" ON "sizes"("id")',
    "ALTER TABLE accounts ADD CONSTRAINT by_name UNIQUE USING INDEX by_name",
    "ALTER TABLE accounts ADD COLUMN seen_at timestamptz DEFAULT now()",
    "CREATE TABLE sizes (id uuid); CREATE INDEX by_id ON sizes (id); ALTER TABLE sizes ALTER COLUMN id SET NOT NULL",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ DELETE FROM x; DROP TABLE accounts; SELECT 1 $$",
    "DROP INDEX CONCURRENTLY IF EXISTS by_name; CREATE INDEX CONCURRENTLY by_name ON accounts (name)",
    "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 2 $$",
  ])("%s only adds", (script) => {
    expect(faultsOf(script)).toEqual([]);
  });

  test.each([
    "ALTER TABLE accounts ADD COLUMN size int; COMMIT; ALTER TABLE accounts ADD COLUMN other int",
    "CREATE INDEX CONCURRENTLY by_name ON accounts (name)",
    "DROP INDEX CONCURRENTLY IF EXISTS by_name; CREATE INDEX CONCURRENTLY by_size ON accounts (size)",
    "ALTER TABLE accounts ADD COLUMN size int; DROP INDEX CONCURRENTLY IF EXISTS by_name",
    "REINDEX INDEX CONCURRENTLY by_name",
    "DROP INDEX CONCURRENTLY IF EXISTS by_name_ccnew; REINDEX INDEX CONCURRENTLY by_name",
    "REINDEX INDEX by_name",
  ])("%s cannot be interrupted", (script) => {
    expect(isAppliedSafely(script)).toBe(false);
  });
});
