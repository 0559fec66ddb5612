import type { QueryConfig } from "pg";
import { z } from "zod";

import { pool } from "@/lib/database/db";
import { countInput } from "@/lib/input/page";
import { defineOperation } from "@/lib/operation";
import { askedKinds, objectsInput } from "@/lib/records/asked-kinds";
import { matchingRecords, searchCondition, searchWords } from "@/lib/records/list/search-condition";
import type { Entity } from "@/lib/records/schema/entity";
import { type Bind, ORGANIZATION } from "@/lib/records/schema/record-sql";
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
  summary:
    "Find records of any kind by the beginnings of their words, or by a phone number: the newest few of each kind.",
  scopes: ["crm:read", "erp:read"],
  input: z.strictObject({
    q: searchWords.describe(
      "Records with words that begin with each of these, in the fields that the lists search by `q`, or with a phone " +
        "number that ends so, or the case with this number without its zeros. Neither case nor accents matter.",
    ),
    objects: objectsInput(SEARCHED),
    per_kind: countInput("per_kind", MAX_PER_KIND, 5).describe("The maximum number of records of each kind."),
  }),
  output: z.object({
    data: z.array(hit).describe("By kind; within a kind the newest first."),
    more: z.array(z.enum(SEARCHED)).describe("The kinds of which there are more; their lists show all, with `q`."),
  }),
  async run(context, { q, objects, per_kind: limit }) {
    const kinds = askedKinds(context, SEARCHED, objects, "To search");
    const { rows } = await pool().query<SearchHit>(searchStatement(kinds, q, [context.organizationId, limit + 1]));
    const found = kinds.map((object) => ({ object, hits: rows.filter((row) => row.object === object) }));
    return {
      data: found.flatMap(({ hits }) => hits.slice(0, limit)),
      more: found.flatMap(({ object, hits }) => (hits.length > limit ? [object] : [])),
    };
  },
});

/** One statement for all kinds. $1 is the organization, $2 the limit of each kind plus one. */
function searchStatement(kinds: readonly ResourceName[], query: string, bounds: readonly unknown[]): QueryConfig {
  const values = [...bounds];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const text = kinds.map((name) => `(${hitsOf(ENTITIES[name], query, bind)})`).join(" UNION ALL ");
  return { text, values };
}

/** The newest matches of one kind. All are found first, for the reason that lists have (`list-statement.ts`). */
function hitsOf(entity: Entity, query: string, bind: Bind): string {
  const names = [...entity.search, ...entity.phones, ...(BESIDES[entity.resource] ?? [])];
  const fields = names.map((name) => `'${name}', "${name}"`).join(", ");
  const matching = matchingRecords(entity, searchCondition(entity, query, bind));
  const found = `WITH found AS MATERIALIZED (SELECT id FROM ${matching} WHERE organization_id = ${ORGANIZATION})`;
  return `SELECT '${entity.resource}' AS object, id, version, json_strip_nulls(json_build_object(${fields})) AS fields
    FROM ${entity.resource} WHERE organization_id = ${ORGANIZATION}
      AND id = ANY (ARRAY(${found} SELECT id FROM found ORDER BY id DESC LIMIT $2)) ORDER BY id DESC`;
}
