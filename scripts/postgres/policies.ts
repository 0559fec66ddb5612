import { createHash } from "node:crypto";

import { type Client, escapeIdentifier, escapeLiteral } from "pg";

import { ACROSS_ORGANIZATIONS, OWN_ROWS, ROWS_OF_ORGANIZATION } from "@/scripts/postgres/across-organizations";

interface Policy {
  name: string;
  /** All that it says, as PostgreSQL tells it. */
  text: string;
  /** The comment that was left with it. */
  mark: string | null;
}

interface Table {
  name: string;
  has_organization: boolean;
  is_secured: boolean;
  policies: Policy[];
}

const TABLES = `
  SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS is_secured,
    EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped) AS has_organization,
    (SELECT coalesce(json_agg(json_build_object('name', p.polname, 'mark', obj_description(p.oid, 'pg_policy'), 'text', concat_ws(' ',
        p.polcmd, p.polpermissive, p.polroles::regrole[]::text, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)))), '[]')
      FROM pg_policy p WHERE p.polrelid = c.oid) AS policies
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname`;

async function findTables(owner: Client): Promise<Table[]> {
  return (await owner.query<Table>(TABLES)).rows;
}

/** Every table of ours. */
export async function tableNames(owner: Client): Promise<string[]> {
  return (await findTables(owner)).map(({ name }) => name);
}

/**
 * Of what a policy was made from and what PostgreSQL made of it: differs once either does, another release's rule or a
 * hand's change.
 */
function markOf(from: string, became = ""): string {
  return `made of ${createHash("sha256").update(`${from}\n${became}`).digest("hex")}`;
}

interface Wanted {
  table: string;
  policy: string;
  text: string;
}

function wantedOf({ name: table }: Table, rule: string, across: string): Wanted[] {
  const own = { table, policy: "organization", text: `USING (${rule})` };
  // Which commands, and on which columns, is a matter of grants.
  const beyond = { table, policy: "across", text: `TO ${escapeIdentifier(across)} USING (true)` };
  return ACROSS_ORGANIZATIONS[table] ? [own, beyond] : [own];
}

/**
 * Has row-level security on every table with `organization_id`, those of later migrations too, so that none can be
 * forgotten, and on those of `OWN_ROWS`; with the policies that they should have and no other. `across` is the role for
 * work across organizations. Within the caller's transaction.
 */
export async function secureTables(owner: Client, across: string): Promise<void> {
  const made: Wanted[] = [];
  for (const table of await findTables(owner)) {
    const rule = OWN_ROWS[table.name] ?? (table.has_organization ? ROWS_OF_ORGANIZATION : undefined);
    if (rule === undefined) continue;
    if (!table.is_secured)
      await owner.query(`ALTER TABLE ${table.name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
    const wanted = wantedOf(table, rule, across);
    await dropOthers(owner, table, wanted);
    const lacking = wanted.filter(
      ({ policy, text }) =>
        !table.policies.some(({ name, mark, text: is }) => name === policy && mark === markOf(text, is)),
    );
    // Between the two no row is open: the transaction holds the table.
    for (const { table: on, policy, text } of lacking)
      await owner.query(`DROP POLICY IF EXISTS ${policy} ON ${on}; CREATE POLICY ${policy} ON ${on} ${text}`);
    made.push(...lacking);
  }
  if (made.length > 0) await mark(owner, made);
}

/** Any other would let through what these do not. */
async function dropOthers(owner: Client, { name, policies }: Table, wanted: readonly Wanted[]): Promise<void> {
  for (const other of policies.filter((policy) => !wanted.some((each) => each.policy === policy.name)))
    await owner.query(`DROP POLICY ${escapeIdentifier(other.name)} ON ${name}`);
}

async function mark(owner: Client, made: readonly Wanted[]): Promise<void> {
  const tables = await findTables(owner);
  for (const { table, policy, text } of made) {
    const became = tables.find(({ name }) => name === table)?.policies.find(({ name }) => name === policy)?.text;
    await owner.query(`COMMENT ON POLICY ${policy} ON ${table} IS ${escapeLiteral(markOf(text, became))}`);
  }
}
