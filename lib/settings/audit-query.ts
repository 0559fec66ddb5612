import type { AuditAction } from "@/lib/audit";

const COLUMNS = "id, created_at, action, user_id, user_email, client_id, client_name, address, details";

/** What narrows a page of the audit log; `from` and `until` are the lowest ids of their moments. */
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
 * One page of an organization's audit log, newest first. Only the conditions that were asked for are written down, so that each page is one range
 * of one index, also in a plan that is made for any values.
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
  const events = others.length === 0 ? page(conditions, limit) : pagesOf(conditions, limit, `$${values.push(filter.actions)}`);
  return { text: withNames(events), values };
}

function page(conditions: readonly string[], limit: string): string {
  return `SELECT ${COLUMNS} FROM audit_events WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT ${limit}`;
}

/** Several actions are a range of the index each, of which the newest events are taken: a page of each at most is read and sorted. */
function pagesOf(conditions: readonly string[], limit: string, actions: string): string {
  const each = page([...conditions, "action = wanted"], limit);
  return `SELECT ${COLUMNS} FROM unnest(${actions}::text[]) AS wanted CROSS JOIN LATERAL (${each}) AS found ORDER BY id DESC LIMIT ${limit}`;
}

/** Adds the name of whoever is a member today; the log itself holds the e-mail address as it was then. */
function withNames(events: string): string {
  return `
    SELECT ${COLUMNS}, (SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND m.user_id = e.user_id) AS user_name
    FROM (${events}) AS e ORDER BY id DESC`;
}
