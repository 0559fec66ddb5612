import { z } from "zod";

import { AUDIT_ACTIONS, type AuditAction } from "@/lib/audit";
import { pool } from "@/lib/db";
import { idInput } from "@/lib/id-input";
import { lowestIdAt } from "@/lib/ids";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";

const nullableId = z.uuidv7().nullable();
const time = z.iso.datetime({ offset: true, error: "Write a time like 2026-11-21T00:00:00Z." }).transform((value) => new Date(value));

const auditEvent = z.object({
  id: z.uuidv7(),
  created_at: z.iso.datetime({ precision: 3 }),
  action: z.enum(AUDIT_ACTIONS),
  user_id: nullableId,
  user_email: z.string().nullable().describe("As it was then."),
  client_id: nullableId.describe("The API client's id."),
  client_name: z.string().nullable().describe("As it was then."),
  address: z.string().nullable().describe("Network address."),
  details: z.record(z.string(), z.unknown()),
});
type AuditEventView = z.infer<typeof auditEvent>;

const SELECT = `
  SELECT id, created_at, action, user_id, user_email, client_id, client_name, address, details FROM audit_events
  WHERE organization_id = $1 AND ($2::uuid IS NULL OR id < $2)
    AND ($3::text IS NULL OR action = $3) AND ($4::uuid IS NULL OR user_id = $4) AND ($5::uuid IS NULL OR client_id = $5)
    AND ($6::uuid IS NULL OR id >= $6) AND ($7::uuid IS NULL OR id < $7)
  ORDER BY id DESC LIMIT $8`;

interface Filter {
  cursor?: string | undefined;
  limit: number;
  action?: AuditAction | undefined;
  user_id?: string | undefined;
  client_id?: string | undefined;
  "created_at[gte]"?: Date | undefined;
  "created_at[lt]"?: Date | undefined;
}

export const listAuditEvents = defineOperation({
  name: "list_audit_events",
  summary: "Read the audit log, newest first: who signed in, what was allowed, created, changed, revoked and started.",
  scopes: [],
  people: "admins",
  input: z.strictObject({
    ...pageInput,
    action: z.enum(AUDIT_ACTIONS).optional().describe("Only what was done in this way."),
    user_id: idInput("`user_id` must be the id of a user.").optional().describe("Only what this user did."),
    client_id: idInput("`client_id` must be the id of an API client, not its public client_id.")
      .optional()
      .describe("Only what concerns this API client."),
    "created_at[gte]": time.optional().describe("From this time on."),
    "created_at[lt]": time.optional().describe("Before this time."),
  }),
  output: pageOutput(auditEvent),
  async run({ organizationId }, filter) {
    const rows = await findEvents(organizationId, filter);
    return cutPage(rows, filter.limit, ({ id }) => id);
  },
});

async function findEvents(organizationId: string, filter: Filter): Promise<AuditEventView[]> {
  const { cursor, limit, action, user_id, client_id, "created_at[gte]": from, "created_at[lt]": until } = filter;
  const bounds = [from, until].map((bound) => (bound ? lowestIdAt(bound) : null));
  const values = [organizationId, cursor ?? null, action ?? null, user_id ?? null, client_id ?? null, ...bounds, limit + 1];
  const { rows } = await pool().query<Omit<AuditEventView, "created_at"> & { created_at: Date }>(SELECT, values);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
