import { beforeAll, describe, expect, test } from "vitest";

import type { Context, Scope } from "@/lib/context";
import { TOOLS } from "@/lib/mcp/tools/all";
import type { ResourceName } from "@/lib/records/schema/resources";
import { callRoute } from "@/tests/http/support/call-route";
import { type Called, messageOf, post } from "@/tests/mcp/support/post";
import { recordJobs } from "@/tests/migration/support/api-service";
import { createReady } from "@/tests/migration/support/ready-migration";
import { createMigration } from "@/tests/migration/support/run-migration";
import { isExhaustive } from "@/tests/support/exhaustive";
import { createAccessToken, createContext, insertRecord } from "@/tests/support/factories";

/** What a tool is asked, and the same over REST. `of`: each names a new one, so that neither finds a change. */
interface Twin {
  of?: ResourceName | "migration" | "ready migration";
  args: (id: string) => object;
  rest: (id: string) => [method: string, path: string, body?: object];
}

const name = { last_name: "Lovelace" };
const atFirst = { expected_version: 1 };
const proposal = { stage: "proposal" };

const TWINS: Record<string, Twin[]> = {
  search: [
    { args: () => ({ query: "ada", objects: ["contacts"] }), rest: () => ["GET", "/search?q=ada&objects=contacts"] },
  ],
  query_records: [
    { args: () => ({ object: "contacts" }), rest: () => ["GET", "/contacts"] },
    { args: () => ({ object: "products" }), rest: () => ["GET", "/products"] },
  ],
  get_records: [
    {
      of: "contacts",
      args: (id) => ({ object: "contacts", ids: [id] }),
      rest: (id) => ["GET", `/contacts/${id}`],
    },
    {
      of: "products",
      args: (id) => ({ object: "products", ids: [id] }),
      rest: (id) => ["GET", `/products/${id}`],
    },
  ],
  get_related: [
    { of: "accounts", args: (id) => ({ object: "accounts", id }), rest: (id) => ["GET", `/contacts?account_id=${id}`] },
  ],
  get_timeline: [
    {
      of: "contacts",
      args: (id) => ({ object: "contacts", id }),
      rest: (id) => ["GET", `/activities?contact_id=${id}`],
    },
  ],
  list_users: [{ args: () => ({ query: "a" }), rest: () => ["GET", "/users?q=a"] }],
  pipeline_summary: [{ args: () => ({}), rest: () => ["GET", "/pipeline"] }],
  create_record: [{ args: () => ({ object: "contacts", fields: name }), rest: () => ["POST", "/contacts", name] }],
  update_record: [
    {
      of: "contacts",
      args: (id) => ({ object: "contacts", id, ...atFirst, fields: name }),
      rest: (id) => ["PATCH", `/contacts/${id}`, name],
    },
  ],
  log_activity: [
    {
      of: "contacts",
      args: (id) => ({ type: "call", subject: "x", contact_id: id }),
      rest: (id) => ["POST", "/activities", { type: "call", subject: "x", contact_id: id }],
    },
  ],
  change_stage: [
    {
      of: "opportunities",
      args: (id) => ({ id, ...atFirst, ...proposal }),
      rest: (id) => ["PATCH", `/opportunities/${id}`, proposal],
    },
  ],
  escalate_case: [
    {
      of: "cases",
      args: (id) => ({ id, ...atFirst, reason: "x" }),
      rest: (id) => ["POST", `/cases/${id}/escalate`, { reason: "x" }],
    },
  ],
  convert_lead: [
    {
      of: "leads",
      args: (id) => ({ id, ...atFirst, account_name: "Acme" }),
      rest: (id) => ["POST", `/leads/${id}/convert`, { account_name: "Acme" }],
    },
  ],
  delete_record: [
    {
      of: "contacts",
      args: (id) => ({ object: "contacts", id, ...atFirst }),
      rest: (id) => ["DELETE", `/contacts/${id}`],
    },
  ],
  list_migrations: [{ args: () => ({}), rest: () => ["GET", "/migration"] }],
  migration_status: [
    { of: "migration", args: (id) => ({ migration_id: id }), rest: (id) => ["GET", `/migration/${id}`] },
  ],
  migration_report: [
    {
      of: "ready migration",
      args: (id) => ({ migration_id: id, section: "objects" }),
      rest: (id) => ["GET", `/migration/${id}/report`],
    },
  ],
  migration_errors: [
    { of: "migration", args: (id) => ({ migration_id: id }), rest: (id) => ["GET", `/migration/${id}/errors`] },
  ],
  preview_migration: [
    {
      of: "migration",
      args: (id) => ({ migration_id: id, object: "Account" }),
      rest: (id) => ["POST", `/migration/${id}/preview`, { object: "Account" }],
    },
  ],
  run_migration: [
    {
      of: "migration",
      args: (id) => ({ migration_id: id }),
      rest: (id) => ["POST", "/migration/run", { migration_id: id }],
    },
  ],
  pause_migration: [
    { of: "migration", args: (id) => ({ migration_id: id }), rest: (id) => ["POST", `/migration/${id}/pause`] },
  ],
};

/** Tools that tell what a token may do and what records look like. Every token has them. */
const WITHOUT_TWIN = ["whoami", "describe_object"];

async function make({ organizationId, userId }: Context, of: Twin["of"]): Promise<string> {
  if (of === undefined) return "";
  if (of === "ready migration") return createReady({ organizationId, userId });
  if (of === "migration") return (await createMigration(undefined, undefined, organizationId)).migrationId;
  return insertRecord(of, organizationId);
}

/** "allowed", or the code of the refusal. */
async function byTool(context: Context, tool: string, { of, args }: Twin): Promise<string> {
  const asked = { name: tool, arguments: args(await make(context, of)) };
  const response = await post(context, "tools/call", asked);
  if (response.status === 403) return /error="(\w+)"/.exec(response.headers.get("www-authenticate") ?? "")?.[1] ?? "";
  const { isError, content } = (await messageOf(response)).result as unknown as Called;
  return isError ? (/\((\w+)\)/.exec(content[0]?.text ?? "")?.[1] ?? "no code") : "allowed";
}

async function byRest(context: Context, { of, rest }: Twin): Promise<string> {
  const headers = { authorization: `Bearer ${await createAccessToken(context)}` };
  const [method, path, body] = rest(await make(context, of));
  const { status, text } = await callRoute(method, path, headers, body);
  return status < 300 ? "allowed" : (JSON.parse(text) as { code: string }).code;
}

const CALLERS = (["admin", "member"] as const).flatMap((role) =>
  (["crm:read", "crm:write", "erp:read"] as const).map((scope): [typeof role, Scope] => [role, scope]),
);

/** Callers of whom every tool is tried: one who may do everything, and one who may do least. The others: some tools. */
const WHOLE = new Set(["admin crm:write", "member erp:read"]);
const EVERY = 3;

/** What is tried for a caller, by turns: each tool is for one of the others at least. */
function triedFor(role: string, scope: Scope) {
  const twins = Object.entries(TWINS).flatMap(([tool, each]) => each.map((twin) => ({ tool, twin })));
  if (isExhaustive || WHOLE.has(`${role} ${scope}`)) return twins;
  const turn = CALLERS.findIndex((caller) => caller.join(" ") === `${role} ${scope}`);
  return twins.filter((_, index) => index % EVERY === turn % EVERY);
}

beforeAll(() => void recordJobs());

describe.each(CALLERS)("%s with %s", (role, scope) => {
  test("tools allow and refuse what REST does", async () => {
    const context = await createContext({ role, scopes: [scope] });
    const tools: unknown[] = [];
    const overRest: unknown[] = [];
    for (const { tool, twin } of triedFor(role, scope)) {
      tools.push([tool, await byTool(context, tool, twin)]);
      overRest.push([tool, await byRest(context, twin)]);
    }
    expect(tools).toEqual(overRest);
    const outcomes = new Set(tools.map((outcome) => (outcome as [string, string])[1]));
    expect(outcomes).toContain("allowed");
    expect(outcomes.has("insufficient_scope")).toBe(scope !== "crm:write");
  });
});

test("every tool has a twin", () => {
  expect([...Object.keys(TWINS), ...WITHOUT_TWIN].toSorted()).toEqual(TOOLS.map(({ name: tool }) => tool).toSorted());
});
