import type { PoolClient } from "pg";

import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { comparedFields, type DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import { CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { keysBy } from "@/lib/migration/duplicates/match-keys";
import type { Draft } from "@/lib/migration/objects/declaration";
import { parseMoment } from "@/lib/migration/pipeline/map/convert";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A record as a search stores it. */
export interface Compared {
  member: string;
  keys: string[];
  shown: Record<string, unknown>;
  modified_at: string | null;
}

type Values = Record<string, unknown>;

const MAX_SHOWN_LENGTH = 200;

/** What tells people which record it is. */
const NAMES: Partial<Record<ResourceName, readonly string[]>> = {
  accounts: ["name", "website"],
  contacts: ["first_name", "last_name", "email"],
  cases: ["subject"],
};

/** The fields of a resource that a search reads: those of the rules, and those that people know a record by. */
function fieldsToRead(resource: ResourceName, { rules }: DuplicateChoices): string[] {
  return [...new Set([...(NAMES[resource] ?? []), ...comparedFields(rules)])];
}

/** How the records of one object are compared. */
export class Comparison {
  readonly resource: ResourceName;
  /** The fields to read of the source. */
  readonly select: string[];
  readonly #fields: string[];
  readonly #places: Plan["main"]["fields"];
  readonly #keysOf: ReturnType<typeof keysBy>;

  constructor(plan: Plan, choices: DuplicateChoices) {
    this.resource = plan.main.shape.resource;
    this.#fields = fieldsToRead(this.resource, choices);
    const wanted = new Set(this.#fields);
    this.#places = plan.main.fields.filter(({ source, target }) =>
      wanted.has(target === CUSTOM_FIELDS ? CUSTOM_PREFIX + source : target),
    );
    this.select = [...new Set(["Id", "LastModifiedDate", ...this.#places.map(({ source }) => source)])].filter(
      (field) => plan.select.includes(field),
    );
    this.#keysOf = keysBy(this.resource, choices);
  }

  /** Records of the source, mapped as the import maps them. References are compared by what they lead to. */
  async ofSource(records: readonly SourceRecord[], resolve: Resolve): Promise<Compared[]> {
    const values = records.map((record) => this.#valuesOf(record));
    for (const field of this.#fields.filter((name) => this.#isReference(name)))
      await resolveAll(values, field, fieldOf(this.resource, field).references ?? "", resolve);
    return records.map((record, index) => {
      const modified = parseMoment(record.LastModifiedDate);
      return this.#compared(
        String(record.Id),
        values[index] ?? {},
        modified === null ? null : new Date(modified).toISOString(),
      );
    });
  }

  /** The records that are here after the record `after`, without those that were made of records of the search. */
  async here(client: PoolClient, key: SearchKey, after: string | null, limit: number): Promise<Compared[]> {
    const custom = this.#fields.filter((name) => name.startsWith(CUSTOM_PREFIX));
    const columns = this.#fields.filter((name) => !name.startsWith(CUSTOM_PREFIX));
    const pairs = [
      ...columns.map((name) => `'${columnOf(this.resource, name)}', r."${name}"`),
      ...custom.map((_, index) => `$${index + 5}::text, r.custom_fields -> $${index + 5 + custom.length}::text`),
    ];
    const { rows } = await client.query<{ id: string; updated_at: Date; values: Values }>(
      `SELECT r.id, r.updated_at, jsonb_build_object(${pairs.join(", ")}) AS values FROM ${this.resource} r
       WHERE r.organization_id = $1 AND ($3::uuid IS NULL OR r.id > $3) AND NOT EXISTS (
         SELECT FROM duplicate_records d WHERE d.organization_id = $1 AND d.search_id = $2 AND d.member = r.ext_id)
       ORDER BY r.id LIMIT $4`,
      [
        key.organizationId,
        key.searchId,
        after,
        limit,
        ...custom,
        ...custom.map((name) => name.slice(CUSTOM_PREFIX.length)),
      ],
    );
    return rows.map(({ id, updated_at: updatedAt, values }) => this.#compared(id, values, updatedAt.toISOString()));
  }

  #isReference(field: string): boolean {
    return !field.startsWith(CUSTOM_PREFIX) && fieldOf(this.resource, field).kind === "reference";
  }

  #valuesOf(record: SourceRecord): Values {
    const draft: Draft = { columns: {}, references: {}, customFields: {} };
    for (const { source, place } of this.#places) {
      const value = record[source];
      if (value !== null && value !== undefined) place(value, draft);
    }
    return Object.fromEntries(
      this.#fields.map((field) => [
        field,
        field.startsWith(CUSTOM_PREFIX)
          ? draft.customFields[field.slice(CUSTOM_PREFIX.length)]
          : (draft.references[field]?.extId ?? draft.columns[field]),
      ]),
    );
  }

  #compared(member: string, values: Values, modifiedAt: string | null): Compared {
    const shown = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
    return {
      member,
      keys: [...new Set(this.#keysOf((field) => values[field]))],
      shown: Object.fromEntries(shown.map(([name, value]) => [name, cut(value)])),
      modified_at: modifiedAt,
    };
  }
}

/** The name, which becomes a part of a statement. Throws on one that is no field. */
function columnOf(resource: ResourceName, name: string): string {
  fieldOf(resource, name);
  return name;
}

export interface SearchKey {
  organizationId: string;
  searchId: string;
}

/** Source ids of a resource → what they lead to here. Ids that lead nowhere are absent. */
export type Resolve = (resource: string, extIds: readonly string[]) => Promise<Map<string, string>>;

async function resolveAll(values: Values[], field: string, resource: string, resolve: Resolve): Promise<void> {
  const extIds = [...new Set(values.map((value) => value[field]).filter((id) => typeof id === "string"))];
  if (extIds.length === 0) return;
  const found = await resolve(resource, extIds);
  for (const value of values) value[field] = found.get(String(value[field])) ?? value[field];
}

function cut(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= MAX_SHOWN_LENGTH) return value;
  return text.slice(0, MAX_SHOWN_LENGTH).toWellFormed();
}
