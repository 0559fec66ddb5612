import { createHash } from "node:crypto";

import { type Client, escapeIdentifier, escapeLiteral } from "pg";

import { ACROSS_ORGANIZATIONS, OWN_ROWS, ROWS_OF_ORGANIZATION } from "@/scripts/postgres/across-organizations";

interface Policy {
  name: string;
  /** Its definition, as PostgreSQL prints it. */
  text: string;
  /** Stored as the policy's comment. */
  fingerprint: string | null;
}

interface Table {
  name: string;
  has_organization: boolean;
  is_secured: boolean;
  policies: Policy[];
}

const TABLES = `
  SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS is_secured,
    EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
    ) AS has_organization,
    (SELECT coalesce(json_agg(json_build_object(
        'name', p.polname,
        'fingerprint', obj_description(p.oid, 'pg_policy'),
        'text', concat_ws(' ', p.polcmd, p.polpermissive, p.polroles::regrole[]::text,
          pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
      )), '[]')
      FROM pg_policy p WHERE p.polrelid = c.oid) AS policies
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname`;

async function findTables(owner: Client): Promise<Table[]> {
  return (await owner.query<Table>(TABLES)).rows;
}

/** The names of all our tables. */
export async function tableNames(owner: Client): Promise<string[]> {
  return (await findTables(owner)).map(({ name }) => name);
}

/**
 * A digest of a policy's source and of the definition that PostgreSQL made of it. It differs if either changes, through
 * another release or by hand.
 */
function fingerprintOf(from: string, definition = ""): string {
  return `made of ${createHash("sha256").update(`${from}\n${definition}`).digest("hex")}`;
}

interface ExpectedPolicy {
  table: string;
  policy: string;
  text: string;
}

function expectedPolicies({ name: table }: Table, rule: string, across: string): ExpectedPolicy[] {
  const own = { table, policy: "organization", text: `USING (${rule})` };
  // Grants decide which commands and columns it covers.
  const acrossPolicy = { table, policy: "across", text: `TO ${escapeIdentifier(across)} USING (true)` };
  return ACROSS_ORGANIZATIONS[table] ? [own, acrossPolicy] : [own];
}

/**
 * Enables row-level security on every table with `organization_id`, including those of later migrations, and on those
 * of `OWN_ROWS`, and sets exactly the expected policies. `across` is the role for work across organizations. Runs in
 * the caller's transaction.
 */
export async function secureTables(owner: Client, across: string): Promise<void> {
  const changed: ExpectedPolicy[] = [];
  for (const table of await findTables(owner)) {
    const rule = OWN_ROWS[table.name] ?? (table.has_organization ? ROWS_OF_ORGANIZATION : undefined);
    if (rule === undefined) continue;
    if (!table.is_secured)
      await owner.query(`ALTER TABLE ${table.name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
    const expected = expectedPolicies(table, rule, across);
    await dropOtherPolicies(owner, table, expected);
    const outdated = expected.filter(
      ({ policy, text }) =>
        !table.policies.some(
          ({ name, fingerprint, text: definition }) =>
            name === policy && fingerprint === fingerprintOf(text, definition),
        ),
    );
    // No row is exposed between the two statements: the transaction has locked the table.
    for (const { table: on, policy, text } of outdated)
      await owner.query(`DROP POLICY IF EXISTS ${policy} ON ${on}; CREATE POLICY ${policy} ON ${on} ${text}`);
    changed.push(...outdated);
  }
  if (changed.length > 0) await saveFingerprints(owner, changed);
}

/** Any other policy would allow access to more rows. */
async function dropOtherPolicies(
  owner: Client,
  { name, policies }: Table,
  expected: readonly ExpectedPolicy[],
): Promise<void> {
  for (const other of policies.filter((policy) => !expected.some((each) => each.policy === policy.name)))
    await owner.query(`DROP POLICY ${escapeIdentifier(other.name)} ON ${name}`);
}

async function saveFingerprints(owner: Client, changed: readonly ExpectedPolicy[]): Promise<void> {
  const tables = await findTables(owner);
  for (const { table, policy, text } of changed) {
    const definition = tables.find(({ name }) => name === table)?.policies.find(({ name }) => name === policy)?.text;
    await owner.query(`COMMENT ON POLICY ${policy} ON ${table} IS ${escapeLiteral(fingerprintOf(text, definition))}`);
  }
}
