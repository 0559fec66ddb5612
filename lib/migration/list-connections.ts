import { z } from "zod";

import { pool } from "@/lib/db";
import { type Connection, connection } from "@/lib/migration/connection-schema";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";

const PAGE = `
  SELECT id AS connection_id, created_at, created_by_id, ext_instance_url, source_org_name AS org_name, source_username AS username,
    refresh_token_enc IS NOT NULL AS renewable,
    (SELECT count(*)::int FROM migrations m
      WHERE m.organization_id = $1 AND m.connection_id = c.id AND m.status IN ('analyzing', 'running')) AS migrations_under_way
  FROM connections c WHERE organization_id = $1 AND access_token_enc IS NOT NULL AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;

type Row = Omit<Connection, "created_at"> & { created_at: Date };

export const listConnections = defineOperation({
  name: "list_connections",
  summary: "List the Salesforce orgs that are connected, newest first. One that was disconnected is not among them.",
  scopes: ["crm:read"],
  input: z.strictObject(pageInput),
  output: pageOutput(connection),
  async run({ organizationId }, { limit, cursor }) {
    const { rows } = await pool().query<Row>(PAGE, [organizationId, cursor ?? null, limit + 1]);
    const found = rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
    return cutPage(found, limit, ({ connection_id }) => connection_id);
  },
});
