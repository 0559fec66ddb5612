import { z } from "zod";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { defineTool } from "@/lib/mcp/tool";
import {
  id,
  objectName,
  pageInput,
  shownPage,
  showPage,
  showRecord,
  shownRecord,
  UNTRUSTED,
} from "@/lib/mcp/tools/shown-record";
import { shareOfText } from "@/lib/mcp/untrusted-text";
import { execute, valueOf } from "@/lib/operation";
import { getOperation, listOperation } from "@/lib/records/operations";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES, relationsTo } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { mayRead } from "@/lib/records/asked-kinds";
import { SEARCHED, searchRecords } from "@/lib/records/search-records";

async function list(context: Context, object: ResourceName, parameters: object): Promise<z.infer<typeof shownPage>> {
  return showPage(object, await execute(listOperation(object), context, parameters));
}

export const describeObject = defineTool({
  name: "describe_object",
  title: "Describe a kind of record",
  description:
    "The fields of a kind of record: type, allowed values, which are required, what query_records filters and sorts " +
    "by. Ask before you first write or filter that kind.",
  scopes: ["crm:read", "erp:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject({ object: objectName }),
  output: z.object({
    object: objectName,
    searched_fields: z.array(z.string()),
    sorts: z.array(z.string()),
    phone_fields: z.array(z.string()),
    fields: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        required: z.boolean(),
        writable: z.boolean(),
        filterable: z.boolean(),
        references: z.string().optional(),
        values: z.array(z.string()).optional(),
      }),
    ),
  }),
  async run(_, { object }) {
    const entity = ENTITIES[object];
    const fields = Object.entries<Field>(entity.fields).map(([name, field]) => ({
      name,
      type: field.kind,
      required: field.required,
      writable: !field.readOnly,
      filterable: field.filterable,
      ...(field.references && { references: field.references }),
      ...(field.values && { values: [...field.values] as string[] }),
    }));
    const { search: searched, phones, sortings } = entity;
    return { object, searched_fields: [...searched], sorts: Object.keys(sortings), phone_fields: [...phones], fields };
  },
});

const fieldNames = z.array(z.string().max(60)).min(1).max(60).optional().describe("Only these.");

export const search = defineTool({
  name: "search",
  title: "Search records",
  description:
    "Find records of any kind by the beginnings of words in names, e-mail addresses, subjects or numbers, by the " +
    "number of a case without its zeros, or by the end of a phone number: the newest few of each kind, with the " +
    `fields that tell them apart; get_records shows all fields. ${UNTRUSTED}`,
  scopes: ["crm:read", "erp:read"],
  readsKinds: true,
  effect: "reads",
  idempotent: true,
  input: z.strictObject({
    query: z.string().min(1).max(200),
    objects: z.array(z.enum(SEARCHED)).min(1).max(SEARCHED.length).optional(),
    limit: z.int().min(1).max(20).default(5).describe("Of each kind."),
  }),
  output: z.object({
    data: z.array(z.object({ object: objectName, ...shownRecord.shape })),
    more: z.array(objectName).describe("Kinds with further matches."),
    not_searched: z.string().optional(),
  }),
  async run(context, { query, objects, limit }) {
    const asked = { q: query, per_kind: limit, ...(objects && { objects: objects.join(",") }) };
    const { data, more } = valueOf(await execute(searchRecords, context, asked));
    const shown = data.map(({ object, id: record, version, fields }) => ({
      object,
      ...showRecord(object, { id: record, version, ...fields }),
    }));
    return { data: shown, more, ...(!objects && notSearched(context)) };
  },
});

/** That nothing was found among records that the token may not read would be a wrong answer. */
function notSearched(context: Context): { not_searched?: string } {
  const unread = SEARCHED.filter((name) => !mayRead(context, name));
  if (unread.length === 0) return {};
  const scopes = new Set(unread.flatMap((name) => ENTITIES[name].readScopes));
  return { not_searched: `${unread.join(", ")}: this needs the scope ${[...scopes].join(" or ")}.` };
}

const FILTER_FAULT = 'A text, number or boolean. Several values are one text, separated by commas: "new,on_hold".';

export const queryRecords = defineTool({
  name: "query_records",
  title: "List records",
  description:
    "List records of one kind, newest first, by equal values of filterable fields (several, separated by commas, of " +
    "a field with fixed values; `me` for a user) and by time. Long texts are cut. " +
    `For words in names use search. ${UNTRUSTED}`,
  scopes: ["crm:read", "erp:read"],
  readsKinds: true,
  effect: "reads",
  idempotent: true,
  input: z.strictObject({
    object: objectName,
    filters: z
      .record(z.string().max(60), z.union([z.string().max(255), z.boolean(), z.number()], FILTER_FAULT))
      .optional()
      .describe(
        '{"stage": "proposal,negotiation", "owner_id": "me"}, {"created_at[gte]": "2026-11-01T00:00:00Z"}; also ' +
          "[gt], [lt], [lte], updated_at.",
      ),
    fields: fieldNames,
    sort: z.string().max(60).optional().describe("One of `sorts` of describe_object; created_at by default."),
    order: z.enum(["asc", "desc"]).optional(),
    include_total: z.boolean().optional(),
    ...pageInput,
  }),
  output: shownPage,
  async run(context, { object, filters = {}, fields, sort, order, include_total: total, limit, cursor }) {
    assertFilters(object, Object.keys(filters));
    return list(context, object, {
      ...filters,
      ...viewOf(object, fields),
      ...(sort && { sort }),
      ...(order && { order }),
      ...(total && { include: "total" }),
      ...(cursor !== undefined && { cursor }),
      limit,
    });
  },
});

const TIME = /^(?:created|updated)_at\[(?:gte?|lte?)\]$/;

/** The list has other parameters too, which are no filters. */
function assertFilters(object: ResourceName, names: readonly string[]): void {
  const { filters: filterable } = ENTITIES[object];
  const wrong = names.find((name) => !filterable.includes(name) && !TIME.test(name));
  if (wrong !== undefined)
    throw new AppError(
      "unknown_parameter",
      `No filter for ${object} is called ${JSON.stringify(wrong)}. There are ${filterable.join(", ")}, and ` +
        "created_at and updated_at with [gt], [gte], [lt] or [lte].",
    );
}

/** The parameter for these fields, and for what each shown record has besides. */
function viewOf(object: ResourceName, fields: readonly string[] | undefined): { fields?: string } {
  if (!fields) return {};
  const linked = object === "case_comments" ? ["case_id"] : [];
  return { fields: [...new Set([...fields, "version", ...linked])].join(",") };
}

const MAX_IDS = 20;

export const getRecords = defineTool({
  name: "get_records",
  title: "Get records",
  description:
    `Get up to ${MAX_IDS} records of one kind, with longer texts than lists have: some 20,000 characters in all. To ` +
    `read on in a text that was cut, give the one id, the field, and where it was cut as \`offset\`. ${UNTRUSTED}`,
  scopes: ["crm:read", "erp:read"],
  readsKinds: true,
  effect: "reads",
  idempotent: true,
  input: z.strictObject({
    object: objectName,
    ids: z.array(id).min(1).max(MAX_IDS),
    fields: fieldNames,
    offset: z.int().min(0).default(0).describe("Where texts begin."),
  }),
  output: z.object({ data: z.array(shownRecord), not_found: z.array(z.string()) }),
  async run(context, { object, ids, fields, offset }) {
    if (offset > 0 && (ids.length > 1 || fields === undefined))
      throw new AppError("invalid_request", "`offset` goes on in one record: give one id, and the field in `fields`.");
    const found: Record<string, unknown>[] = [];
    const missing: string[] = [];
    for (const each of new Set(ids)) {
      const record = await find(context, object, { id: each, ...viewOf(object, fields) });
      if (record) found.push(record);
      else missing.push(each);
    }
    const max = shareOfText(found, offset);
    return { data: found.map((record) => showRecord(object, record, max, offset)), not_found: missing };
  },
});

async function find(
  context: Context,
  object: ResourceName,
  input: { id: string; fields?: string },
): Promise<Record<string, unknown> | null> {
  try {
    return valueOf(await execute(getOperation(object), context, input)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

export const getRelated = defineTool({
  name: "get_related",
  title: "Get related records",
  description:
    "The records that refer to one: contacts of an account, cases of a contact. Without `related` it counts each " +
    `kind. ${UNTRUSTED}`,
  scopes: ["crm:read"],
  effect: "reads",
  idempotent: true,
  input: z.strictObject({
    object: objectName,
    id,
    related: objectName.optional().describe("The kind to list."),
    ...pageInput,
  }),
  output: shownPage.extend({
    counts: z.array(z.object({ related: objectName, field: z.string(), records: z.int() })).optional(),
  }),
  async run(context, { object, id: record, related, limit, cursor }) {
    await execute(getOperation(object), context, { id: record });
    const relations = relationsTo(object);
    if (related === undefined) {
      const counts = [];
      for (const { from, field } of relations) {
        const { total = 0 } = await list(context, from.resource, { [field]: record, limit: 1, include: "total" });
        counts.push({ related: from.resource, field, records: total });
      }
      return { data: [], next_cursor: null, counts };
    }
    const relation = relations.find(({ from }) => from.resource === related);
    if (!relation) {
      const known = [...new Set(relations.map(({ from }) => from.resource))].join(", ");
      throw new AppError("invalid_request", `No ${related} refer to ${object}. These do: ${known || "none"}.`);
    }
    return list(context, related, { [relation.field]: record, limit, ...(cursor !== undefined && { cursor }) });
  },
});
