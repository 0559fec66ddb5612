import { type Client, escapeLiteral } from "pg";

/** Its comment names the PostgreSQL server that numbered the events. It is dumped and restored with the table. */
const TABLE = "events";

/** The identifier that a server has from its `initdb` on. A restored dump is on a server with another one. */
const NUMBERED_BY = `
  SELECT 'numbered by server ' || system_identifier AS server,
    obj_description(to_regclass('${TABLE}'), 'pg_class') AS known
  FROM pg_control_system()`;

/** `organizations` leads to the last event of each by an index. The snapshot's xmax is this server's next number. */
const TOO_HIGH = `
  SELECT max(last.tx) - pg_snapshot_xmin(pg_current_snapshot())::text::bigint + 1 AS shift
  FROM organizations o, LATERAL (
    SELECT e.tx FROM events e WHERE e.organization_id = o.id ORDER BY e.tx DESC LIMIT 1
  ) AS last
  HAVING max(last.tx) >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

/**
 * Events are in the order of PostgreSQL's transaction numbers, which another server counts from its own beginning. So
 * where the events come from a restored dump, and have numbers that this server has not reached, all of them move below
 * its present number and keep their order. Without that the feed would hide them, and what is written next would come
 * before them. Runs in the caller's transaction, which then forces row-level security on all tables again.
 */
export async function renumberEvents(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ server: string; known: string | null }>(NUMBERED_BY);
  const [numbering] = rows;
  if (!numbering || numbering.server === numbering.known) return;
  // An owner who is no superuser sees no row otherwise.
  for (const table of ["organizations", TABLE, "webhook_deliveries"])
    await owner.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  const found = await owner.query<{ shift: string }>(TOO_HIGH);
  const shift = found.rows[0]?.shift;
  if (shift !== undefined) {
    await owner.query(`UPDATE ${TABLE} SET tx = tx - $1`, [shift]);
    await owner.query("UPDATE webhook_deliveries SET event_tx = event_tx - $1", [shift]);
  }
  await owner.query(`COMMENT ON TABLE ${TABLE} IS ${escapeLiteral(numbering.server)}`);
}
