import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { defineOperation, hasScope } from "@/lib/operation";
import { matchingRecords, searchCondition, searchWords } from "@/lib/records/list/search-condition";
import type { Entity } from "@/lib/records/schema/entity";
import { ORGANIZATION } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** The kinds of records that can be searched, in the order of the answer. */
export const SEARCHED = RESOURCES.filter((name) => ENTITIES[name].search.length > 0);

/** What tells records of the same name apart, beside the searched fields. */
const BESIDES: Partial<Record<ResourceName, readonly string[]>> = {
  accounts: ["industry"],
  cases: ["status"],
  activities: ["type", "status"],
  opportunities: ["stage"],
};

const MAX_PER_KIND = 20;

const PER_KIND_FAULT = `\`per_kind\` must be a whole number from 1 to ${MAX_PER_KIND}.`;

const OBJECTS_FAULT = `\`objects\` must be names separated by commas, each one of ${SEARCHED.join(", ")}.`;

const hit = z.object({
  object: z.enum(SEARCHED),
  id: z.uuidv7(),
  version: z.int(),
  fields: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .describe("The searched fields that have a value, and what tells records of the same name apart."),
});

export type SearchHit = z.infer<typeof hit>;

export const searchRecords = defineOperation({
  name: "search_records",
  summary: "Find records of any kind by the beginnings of their words: the newest few of each kind.",
  scopes: ["crm:read", "erp:read"],
  input: z.strictObject({
    q: searchWords.describe(
      "Records with words that begin with each of these, in the fields that the lists search by `q`. Neither case " +
        "nor accents matter.",
    ),
    objects: z
      .string(OBJECTS_FAULT)
      .max(200, OBJECTS_FAULT)
      .transform((given) => given.split(",").map((name) => name.trim()))
      .pipe(z.array(z.enum(SEARCHED, OBJECTS_FAULT)))
      .exactOptional()
      .describe(`Only these kinds, separated by commas: ${SEARCHED.join(", ")}. Absent: all that the token may read.`),
    per_kind: z
      .preprocess(
        (value) => (typeof value === "string" && /^\d{1,3}$/.test(value) ? Number(value) : value),
        z.int(PER_KIND_FAULT).min(1, PER_KIND_FAULT).max(MAX_PER_KIND, PER_KIND_FAULT).default(5),
      )
      .describe("The maximum number of records of each kind."),
  }),
  output: z.object({
    data: z.array(hit).describe("By kind; within a kind the newest first."),
    more: z.array(z.enum(SEARCHED)).describe("The kinds of which there are more; their lists show all, with `q`."),
  }),
  async run(context, { q, objects, per_kind: limit }) {
    const kinds = objects ? [...new Set(objects)] : SEARCHED.filter((name) => mayRead(context, name));
    assertMayRead(context, kinds);
    const values = [context.organizationId, q, limit + 1];
    const { rows } = await pool().query<SearchHit>(statementOf(kinds), values);
    const found = kinds.map((object) => ({ object, hits: rows.filter((row) => row.object === object) }));
    return {
      data: found.flatMap(({ hits }) => hits.slice(0, limit)),
      more: found.flatMap(({ object, hits }) => (hits.length > limit ? [object] : [])),
    };
  },
});

/** Whether a token may read a kind of record. */
export function mayRead(context: Context, name: ResourceName): boolean {
  return ENTITIES[name].readScopes.some((scope) => hasScope(context, scope));
}

function assertMayRead(context: Context, kinds: readonly ResourceName[]): void {
  const refused = kinds.find((name) => !mayRead(context, name));
  if (refused === undefined) return;
  const scopes = ENTITIES[refused].readScopes.join(" or ");
  throw new AppError(
    "insufficient_scope",
    `To search ${refused.replaceAll("_", " ")}, this needs the scope ${scopes}.`,
  );
}

/** One statement for all kinds. $1 is the organization, $2 the words, $3 the limit of each kind plus one. */
function statementOf(kinds: readonly ResourceName[]): string {
  return kinds.map((name) => `(${hitsOf(ENTITIES[name])})`).join(" UNION ALL ");
}

/** The newest matches of one kind. All are found first, for the reason that lists have (`list-statement.ts`). */
function hitsOf(entity: Entity): string {
  const names = [...entity.search, ...(BESIDES[entity.resource] ?? [])];
  const fields = names.map((name) => `'${name}', "${name}"`).join(", ");
  const matching = matchingRecords(entity, searchCondition(entity, "$2"));
  const found = `WITH found AS MATERIALIZED (SELECT id FROM ${matching} WHERE organization_id = ${ORGANIZATION})`;
  return `SELECT '${entity.resource}' AS object, id, version, json_strip_nulls(json_build_object(${fields})) AS fields
    FROM ${entity.resource} WHERE organization_id = ${ORGANIZATION}
      AND id = ANY (ARRAY(${found} SELECT id FROM found ORDER BY id DESC LIMIT $3)) ORDER BY id DESC`;
}
