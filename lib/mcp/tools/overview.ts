import { z } from "zod";

import { type Context, SCOPES } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { role } from "@/lib/generated/prisma/enums";
import { AppError } from "@/lib/errors";
import { defineTool } from "@/lib/mcp/tool";
import {
  id,
  nextCursor,
  pageInput,
  shownPage,
  showPage,
  showRecord,
  shownRecord,
  UNTRUSTED,
} from "@/lib/mcp/tools/shown-record";
import { plainValue } from "@/lib/mcp/untrusted-text";
import { execute, hasScope, valueOf } from "@/lib/operation";
import { listCommentsOfCase } from "@/lib/records/case-thread";
import { getOperation, listOperation } from "@/lib/records/operations";
import { getPipeline, todayOf } from "@/lib/records/sales-pipeline";
import { listStageChanges } from "@/lib/records/stage-history";
import { getUser, listUsers as users } from "@/lib/sessions/people/users";

export const whoami = defineTool({
  name: "whoami",
  title: "Who am I",
  description: "The user for whom you act, the role, and what the access token may do. Use the id as `owner_id`.",
  scopes: ["crm:read", "erp:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    user_id: z.string(),
    name: z.string().optional(),
    email: z.string().optional(),
    role: z.enum(role),
    scopes: z.array(z.enum(SCOPES)),
    today: z.string(),
  }),
  async run(context) {
    const user = hasScope(context, "crm:read")
      ? valueOf(await execute(getUser, context, { id: context.userId }))
      : undefined;
    return {
      user_id: context.userId,
      ...(user && { name: user.name, email: user.email }),
      role: context.role,
      scopes: [...context.scopes],
      today: await inOrganization(context.organizationId, () => todayOf(context.organizationId)),
    };
  },
});

export const listUsers = defineTool({
  name: "list_users",
  title: "List users",
  description:
    "The people who can own records, with their ids; `query` finds them by a part of name or e-mail, with or without " +
    "accents.",
  scopes: ["crm:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject({ query: z.string().min(1).max(200).optional(), ...pageInput }),
  output: z.object({
    data: z.array(z.object({ id: z.string(), name: z.string(), email: z.string(), role: z.enum(role) })),
    next_cursor: nextCursor,
  }),
  async run(context, { query, limit, cursor }) {
    const input = { limit, ...(query !== undefined && { q: query }), ...(cursor !== undefined && { cursor }) };
    const { data, next_cursor } = valueOf(await execute(users, context, input));
    return { data: data.map((user) => plainValue(user) as typeof user), next_cursor };
  },
});

export const pipelineSummary = defineTool({
  name: "pipeline_summary",
  title: "Summarize the pipeline",
  description:
    "Opportunities by stage: how many, their amounts by currency, weighted by probability, and overdue ones.",
  scopes: ["crm:read"],
  effect: "reads",
  idempotent: true,
  input: getPipeline.input,
  output: getPipeline.output,
  run: async (context, input) => valueOf(await execute(getPipeline, context, input)),
});

/** Objects that activities can belong to, with the field of the activity. */
const TIMELINES = {
  accounts: "account_id",
  contacts: "contact_id",
  cases: "case_id",
  opportunities: "opportunity_id",
  leads: "lead_id",
} as const;

type TimelineObject = keyof typeof TIMELINES;

const PARTS = ["activities", "comments", "stages"] as const;

type Part = (typeof PARTS)[number];

function partsOf(object: TimelineObject): Part[] {
  if (object === "cases") return ["activities", "comments"];
  return object === "opportunities" ? ["activities", "stages"] : ["activities"];
}

export const getTimeline = defineTool({
  name: "get_timeline",
  title: "Get a timeline",
  description:
    "What happened with a record: its activities, newest first; the thread of a case, oldest first; the stages of an " +
    `opportunity. ${UNTRUSTED}`,
  scopes: ["crm:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject({
    object: z.enum(Object.keys(TIMELINES) as [TimelineObject, ...TimelineObject[]]),
    id,
    part: z.enum(PARTS).optional().describe("Only this part; needed with `cursor`."),
    ...pageInput,
  }),
  output: z.object({
    record: shownRecord,
    activities: shownPage.optional(),
    comments: shownPage.optional(),
    stages: z.object({ data: z.array(z.record(z.string(), z.unknown())), next_cursor: nextCursor }).optional(),
  }),
  async run(context, { object, id: of, part, limit, cursor }) {
    if (cursor !== undefined && part === undefined) throw withoutPart();
    if (part !== undefined && !partsOf(object).includes(part)) throw foreignPart(object);
    const record = valueOf(await execute(getOperation(object), context, { id: of })) as Record<string, unknown>;
    const page = { limit, ...(cursor !== undefined && { cursor }) };
    const wants = (name: Part) => partsOf(object).includes(name) && (part === undefined || part === name);
    const linked = { [TIMELINES[object]]: of, ...page };
    return {
      record: showRecord(object, record),
      ...(wants("activities") && {
        activities: showPage("activities", await execute(listOperation("activities"), context, linked)),
      }),
      ...(wants("comments") && { comments: await commentsOf(context, { id: of, ...page }) }),
      ...(wants("stages") && { stages: await stagesOf(context, { id: of, ...page }) }),
    };
  },
});

function foreignPart(object: TimelineObject): AppError {
  const detail = `The timeline of ${object} has no such part; its parts are ${partsOf(object).join(" and ")}.`;
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/part", code: "invalid_value", detail }] });
}

/** The cursor of one part would begin the others in the midst. */
function withoutPart(): AppError {
  const detail = "Say with `cursor` which `part` it belongs to: each part has a cursor of its own.";
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/part", code: "required", detail }] });
}

/** A thread is read for what people have written, so its texts are longer than those of lists. */
const MAX_COMMENT = 2000;

async function commentsOf(context: Context, input: object) {
  return showPage("case_comments", await execute(listCommentsOfCase, context, input), MAX_COMMENT);
}

async function stagesOf(context: Context, input: object) {
  const { data, next_cursor } = valueOf(await execute(listStageChanges, context, input));
  return { data: data.map((change) => ({ ...change })), next_cursor };
}
