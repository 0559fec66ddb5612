import { z } from "zod";

import { AUDIT_ACTIONS, type AuditAction } from "@/lib/audit";
import { pool } from "@/lib/db";
import { idInput } from "@/lib/id-input";
import { lowestIdAt } from "@/lib/ids";
import { nearest } from "@/lib/nearest";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";
import { auditQuery } from "@/lib/settings/audit-query";

const nullableId = z.uuidv7().nullable();
const time = z.iso.datetime({ offset: true, error: "Write a time like 2026-11-21T00:00:00Z." }).transform((value) => new Date(value));

const auditEvent = z.object({
  id: z.uuidv7(),
  created_at: z.iso.datetime({ precision: 3 }),
  action: z.enum(AUDIT_ACTIONS),
  user_id: nullableId,
  user_email: z.string().nullable().describe("As it was then."),
  user_name: z.string().nullable().describe("As it is now; null for somebody who is no longer a member."),
  client_id: nullableId.describe("The API client's id."),
  client_name: z.string().nullable().describe("As it was then."),
  address: z.string().nullable().describe("Network address."),
  details: z.record(z.string(), z.unknown()),
});
type Row = Omit<z.infer<typeof auditEvent>, "created_at"> & { created_at: Date };

function isAction(word: string): word is AuditAction {
  return (AUDIT_ACTIONS as readonly string[]).includes(word);
}

/** One action or several, separated by commas. */
const actions = z.string().transform((text, issues): AuditAction[] => {
  const words = [...new Set(text.split(","))];
  const known = words.filter(isAction);
  const unknown = words.find((word) => !isAction(word));
  if (unknown === undefined) return known;
  const meant = nearest(unknown, AUDIT_ACTIONS);
  const hint = meant ? `; did you mean \`${meant}\`?` : `. Known are ${AUDIT_ACTIONS.map((each) => `\`${each}\``).join(", ")}.`;
  issues.addIssue(`\`action\` holds what is no action${hint}`);
  return z.NEVER;
});

export const listAuditEvents = defineOperation({
  name: "list_audit_events",
  summary: "Read the audit log, newest first: who signed in, what was allowed, created, changed, revoked and started.",
  scopes: [],
  people: "admins",
  input: z.strictObject({
    ...pageInput,
    action: actions.optional().describe("Only what was done in this way, or in one of several separated by commas."),
    user_id: idInput("`user_id` must be the id of a user.").optional().describe("Only what this user did."),
    client_id: idInput("`client_id` must be the id of an API client, not its public client_id.")
      .optional()
      .describe("Only what concerns this API client."),
    "created_at[gte]": time.optional().describe("From this time on."),
    "created_at[lt]": time.optional().describe("Before this time."),
  }),
  output: pageOutput(auditEvent),
  async run({ organizationId }, { limit, action, "created_at[gte]": from, "created_at[lt]": until, ...filter }) {
    const bounds = { from: from && lowestIdAt(from), until: until && lowestIdAt(until) };
    const { text, values } = auditQuery(organizationId, { ...filter, ...bounds, actions: action, limit: limit + 1 });
    const { rows } = await pool().query<Row>(text, values);
    const events = rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
    return cutPage(events, limit, ({ id }) => id);
  },
});
