import { WITHOUT_ORGANIZATION } from "@/scripts/postgres/across-organizations";
import { pool } from "@/tests/support/owner";

import type { Side } from "@/tests/http/matrix/support/side";

interface Table {
  name: string;
  /** The condition that a row `t` belongs to the organization $1. */
  isTheirs: string;
  hasId: boolean;
  /** A row of it, without the last use and the stored bytes, which are recorded in the background. */
  row: string;
}

const TABLES = `
  SELECT t.table_name AS name,
    bool_or(c.column_name = 'organization_id') AS scoped, bool_or(c.column_name = 'id') AS "hasId",
    bool_or(c.column_name IN ('last_used_at', 'storage_bytes')) AS noted
  FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
  WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' GROUP BY 1 ORDER BY 1`;

/** Tables that belong to an organization without naming it. */
const INDIRECT: Record<string, string> = {
  organizations: "t.id = $1",
  users: "EXISTS (SELECT FROM memberships m WHERE m.organization_id = $1 AND m.user_id = t.id)",
  oauth_client_secrets: "EXISTS (SELECT FROM oauth_clients c WHERE c.organization_id = $1 AND c.id = t.client_id)",
  oauth_authorizations: "EXISTS (SELECT FROM oauth_clients c WHERE c.organization_id = $1 AND c.id = t.client_id)",
};

/** A row without what is recorded in the background. */
const NOTED = "(to_jsonb(t) - ARRAY['last_used_at', 'storage_bytes', 'storage_tables', 'storage_measured_at'])::text";

/** Tables of the service itself. */
const NOBODYS = new Set(["_prisma_migrations", ...WITHOUT_ORGANIZATION]);

let tables: Promise<Table[]> | undefined;

async function readTables(): Promise<Table[]> {
  const { rows } = await pool().query<{ name: string; scoped: boolean; hasId: boolean; noted: boolean }>(TABLES);
  return rows.flatMap(({ name, scoped, hasId, noted }) => {
    const isTheirs = scoped ? "t.organization_id = $1" : INDIRECT[name];
    if (isTheirs === undefined && !NOBODYS.has(name)) throw new Error(`Say in kept.ts whose the rows of ${name} are.`);
    return isTheirs === undefined ? [] : [{ name, isTheirs, hasId, row: noted ? NOTED : "t::text" }];
  });
}

function all(): Promise<Table[]> {
  return (tables ??= readTables());
}

/** A digest per table of all that an organization has: the number of rows and the sum of their hashes; none: empty. */
export async function stateOf({ organizationId }: Side): Promise<Record<string, string>> {
  const each = (await all()).map(
    ({ name, isTheirs, row }) =>
      `SELECT '${name}' AS name, concat_ws(' ', nullif(count(*), 0), sum(hashtextextended(${row}, 0))) AS digest
        FROM "${name}" t WHERE ${isTheirs}`,
  );
  const { rows } = await pool().query<{ name: string; digest: string }>({
    name: "state of an organization",
    text: each.join(" UNION ALL "),
    values: [organizationId],
  });
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What a text reveals of an organization: its marker, or an id of any of its rows. `said` was known to the caller. */
export async function leaksOf({ organizationId, marker }: Side, text: string, said = ""): Promise<string[]> {
  const ids = [...new Set(text.match(UUID))].filter((id) => !said.includes(id));
  const each = (await all())
    .filter(({ hasId }) => hasId)
    .map(({ name, isTheirs }) => `SELECT t.id::text FROM "${name}" t WHERE ${isTheirs} AND t.id = ANY ($2::uuid[])`);
  const { rows } = await pool().query<{ id: string }>({
    name: "ids of an organization",
    text: each.join(" UNION "),
    values: [organizationId, ids],
  });
  const marked = text.replaceAll(said === "" ? "\0" : said, "").includes(marker) ? [marker] : [];
  return [...marked, ...rows.map(({ id }) => id)];
}
