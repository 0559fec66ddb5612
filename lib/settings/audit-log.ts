import { z } from "zod";

import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { minIdAt } from "@/lib/ids";
import { idInput, timestampOutput } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { didYouMean, suggest } from "@/lib/input/suggest";
import { defineOperation } from "@/lib/operation";
import { AUDIT_ACTIONS, type AuditAction } from "@/lib/security/audit";

const nullableId = z.uuidv7().nullable();

const time = z.iso
  .datetime({ offset: true, error: "Write a time like 2026-11-21T00:00:00Z." })
  .transform((value) => new Date(value));

const auditEvent = z.object({
  id: z.uuidv7(),
  created_at: timestampOutput,
  action: z.enum(AUDIT_ACTIONS),
  user_id: nullableId,
  user_email: z.string().nullable().describe("As it was then."),
  user_name: z.string().nullable().describe("As it is now; null for somebody who is no longer a member."),
  client_id: nullableId.describe("The API client's id."),
  client_name: z.string().nullable().describe("As it was then."),
  address: z.string().nullable().describe("Network address."),
  details: z.record(z.string(), z.unknown()),
});

function isAction(word: string): word is AuditAction {
  return (AUDIT_ACTIONS as readonly string[]).includes(word);
}

/** One action, or several separated by commas. */
const actions = z.string().transform((text, issues): AuditAction[] => {
  const words = [...new Set(text.split(","))];
  const known = words.filter(isAction);
  const unknown = words.find((word) => !isAction(word));
  if (unknown === undefined) return known;
  const names = AUDIT_ACTIONS.map((each) => `\`${each}\``).join(", ");
  const hint = didYouMean(suggest(unknown, AUDIT_ACTIONS), `. Known are ${names}.`);
  issues.addIssue(`\`action\` names an unknown action${hint}`);
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
    const bounds = { from: from && minIdAt(from), until: until && minIdAt(until) };
    const { text, values } = auditQuery(organizationId, { ...filter, ...bounds, actions: action, limit: limit + 1 });
    const { rows } = await pool().query<z.infer<typeof auditEvent>>(text, values);
    return cutPage(rows, limit, ({ id }) => id);
  },
});

const COLUMNS = `id, ${isoText("created_at")} AS created_at, action, user_id, user_email, client_id, client_name,
  address, details`;

/** The filter of a page; `from` and `until` are the lowest ids of those times. */
export interface AuditFilter {
  limit: number;
  /** Only events below this id. */
  cursor?: string | undefined;
  actions?: readonly AuditAction[] | undefined;
  user_id?: string | undefined;
  client_id?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

/**
 * One page of an organization's audit log, newest first. Only the requested conditions are written into the statement,
 * so that each page is one range of one index, in a generic plan too.
 */
export function auditQuery(organizationId: string, filter: AuditFilter): { text: string; values: unknown[] } {
  const values: unknown[] = [organizationId];
  const conditions = ["organization_id = $1"];
  const where = (condition: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  const [action, ...others] = filter.actions ?? [];
  if (others.length === 0) where("action =", action);
  where("user_id =", filter.user_id);
  where("client_id =", filter.client_id);
  where("id <", filter.cursor);
  where("id >=", filter.from);
  where("id <", filter.until);
  const limit = `$${values.push(filter.limit)}`;
  const events =
    others.length === 0
      ? pageOf(conditions, limit)
      : pageOfSeveralActions(conditions, limit, `$${values.push(filter.actions)}`);
  return { text: withNames(events), values };
}

function pageOf(conditions: readonly string[], limit: string): string {
  return `SELECT ${COLUMNS} FROM audit_events WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT ${limit}`;
}

/**
 * Each action is a range of the index, from which the newest events are taken: at most a page per action is read and
 * sorted.
 */
function pageOfSeveralActions(conditions: readonly string[], limit: string, actions: string): string {
  const each = pageOf([...conditions, "action = given_action"], limit);
  return `SELECT found.* FROM unnest(${actions}::text[]) AS given_action CROSS JOIN LATERAL (${each}) AS found
    ORDER BY id DESC LIMIT ${limit}`;
}

/** Adds the present name of members; the log itself holds the e-mail address as it was then. */
function withNames(events: string): string {
  return `
    SELECT e.*,
      (SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = $1 AND m.user_id = e.user_id) AS user_name
    FROM (${events}) AS e ORDER BY id DESC`;
}
