import type { PoolClient } from "pg";

import { formatNumber } from "@/lib/amounts";
import type { Context } from "@/lib/context";
import { AppError, type Fault } from "@/lib/errors";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Values } from "@/lib/records/schema/write-input";
import { lookupEach, inLockOrder } from "@/lib/records/write/lock-records";

/** The JSON pointer of the record at `index`, to precede that of a field. */
export type PrefixOf = (index: number) => string;

/** The prefix for a single record, which is the whole body. */
export const atRoot: PrefixOf = () => "";

/** A record that is created or changed. */
interface RecordWrite {
  /** What the client or the action sent. */
  given: Values;
  /** What is written: `given` and what follows from it; of a change only what differs. */
  values: Values;
  /** The record until now; null where it is created. */
  before: Values | null;
}

const RULES = [assertNotReserved, assertCustomFieldsFit, assertNotConverted];

/**
 * Asserts every rule that needs no query, in the order of {@link RULES}. Throws `invalid_request` with a fault
 * `use_action` or `too_long` per record, and `illegal_state` for a change of a converted lead.
 */
export function assertWritable({ resource }: Entity, writes: readonly RecordWrite[], prefixOf: PrefixOf): void {
  for (const assertRule of RULES) assertRule(resource, writes, prefixOf);
}

/** A field with a value that only an action sets (`ofAction`), because the action changes more than this value. */
interface Reserved {
  field: string;
  /** Whether the action wrote it: it also sets a field that clients cannot write. */
  isSetByAction(given: Values, before: Values | null): boolean;
  detail: string;
}

const RESERVED: Partial<Record<ResourceName, Reserved>> = {
  cases: {
    field: "status",
    isSetByAction: (given, before) => given.is_escalated === true || before?.is_escalated === true,
    detail: "A case is escalated, with a reason, by `POST /api/v1/cases/{id}/escalate`.",
  },
  leads: {
    field: "status",
    isSetByAction: (given) => given.converted_at !== undefined,
    detail: "A lead is converted, into an account and a contact, by `POST /api/v1/leads/{id}/convert`.",
  },
};

/** Only an action may set some values. A case that is already escalated may go back to that status. */
function assertNotReserved(resource: ResourceName, writes: readonly RecordWrite[], prefixOf: PrefixOf): void {
  const reserved = RESERVED[resource];
  if (!reserved) return;
  const { field, detail, isSetByAction } = reserved;
  const value = (ENTITIES[resource].fields as Record<string, Field>)[field]?.ofAction;
  const errors = writes.flatMap(({ given, before }, index): Fault[] => {
    const isAllowed = given[field] !== value || before?.[field] === value || isSetByAction(given, before);
    return isAllowed ? [] : [{ pointer: `${prefixOf(index)}/${field}`, code: "use_action", detail }];
  });
  if (errors.length > 0) throw new AppError("invalid_request", detail, { errors });
}

/**
 * For one record, as JSON: a page of 200 records, each with those that it refers to, must still be possible to write
 * and read.
 */
const MAX_CUSTOM_CHARACTERS = 131_072;

/** An object of Salesforce can have 800 custom fields; an imported record can have more added. */
const MAX_CUSTOM_NAMES = 1_000;

const DETAIL =
  `All custom fields of a record together have at most ${formatNumber(MAX_CUSTOM_CHARACTERS)} characters as JSON, ` +
  `and ${formatNumber(MAX_CUSTOM_NAMES)} names. Take some away with null.`;

/** The custom fields after the write are bounded. Imported ones may exceed the bound, but not grow. */
function assertCustomFieldsFit(_: ResourceName, writes: readonly RecordWrite[], prefixOf: PrefixOf): void {
  const errors = writes.flatMap(({ values, before }, index): Fault[] => {
    const { custom_fields: after } = values as { custom_fields?: object };
    const isRefused = after !== undefined && outgrows(after, before?.custom_fields ?? {});
    return isRefused ? [{ pointer: `${prefixOf(index)}/custom_fields`, code: "too_long", detail: DETAIL }] : [];
  });
  if (errors.length > 0) throw new AppError("invalid_request", DETAIL, { errors });
}

function outgrows(after: object, before: object): boolean {
  const characters = lengthAsJson(after);
  const names = Object.keys(after).length;
  return (
    (characters > MAX_CUSTOM_CHARACTERS && characters > lengthAsJson(before)) ||
    (names > MAX_CUSTOM_NAMES && names > Object.keys(before).length)
  );
}

/** The length of a value as PostgreSQL writes it as JSON: without exponents, so that 1e308 has 309 digits. */
function lengthAsJson(value: object): number {
  const json = JSON.stringify(value);
  if (!/\de[+-]/.test(json)) return json.length;
  let more = 0;
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "number") more += lengthWithoutExponent(String(each)) - String(each).length;
    return each;
  });
  return json.length + more;
}

/** The length of a number that JavaScript has written, once it is written without an exponent. */
function lengthWithoutExponent(number: string): number {
  const [, sign = "", fraction = "", exponent] = /^(-?)\d(?:\.(\d+))?e([+-]\d+)$/.exec(number) ?? [];
  if (exponent === undefined) return number.length;
  // JavaScript writes exponents from 21, beyond all digits, and from -7.
  const digits = exponent.startsWith("+") ? 1 + Number(exponent) : 2 - Number(exponent) + fraction.length;
  return sign.length + digits;
}

/** A converted lead can no longer change. */
function assertNotConverted(resource: ResourceName, writes: readonly RecordWrite[], prefixOf: PrefixOf): void {
  if (resource !== "leads") return;
  const index = writes.findIndex(({ before, values }) => before?.status === "converted" && hasValues(values));
  if (index === -1) return;
  const detail = "A converted lead cannot be changed. Change the account and the contact that it became.";
  throw new AppError("illegal_state", detail, { errors: [{ pointer: prefixOf(index), code: "converted", detail }] });
}

function hasValues(values: Values): boolean {
  return Object.keys(values).length > 0;
}

interface Reference {
  /** The record's index among those that are written. */
  index: number;
  field: string;
  table: string;
  id: string;
}

/**
 * Asserts that every reference leads to a record of the organization, or to one of its members. Throws
 * `invalid_request` with a fault `not_found` per reference that does not; another organization's record does not count.
 */
export async function assertReferences(
  client: PoolClient,
  entity: Entity,
  { organizationId, userId }: Pick<Context, "organizationId" | "userId">,
  records: readonly Values[],
  prefixOf: PrefixOf = atRoot,
): Promise<void> {
  const references = records
    .flatMap((record, index) => referencesOf(entity, record, index))
    // The caller is a member: the request's authentication has just read it.
    .filter(({ table, id }) => table !== "users" || id !== userId);
  const present = new Set<string>();
  for (const [table, group] of Map.groupBy(references, (reference) => reference.table)) {
    const ids = inLockOrder(group.map(({ id }) => id));
    const { rows } = await client.query<{ id: string }>({
      // As in lockRecords: a plan that was made for a tiny table must not serve many records.
      ...(ids.length === 1 && { name: `references ${table}` }),
      text: referenceText(table),
      values: [organizationId, ids],
    });
    for (const { id } of rows) present.add(`${table} ${id}`);
  }
  const errors = references
    .filter(({ table, id }) => !present.has(`${table} ${id}`))
    .map((missing) => faultOf(missing, prefixOf));
  if (errors.length > 0) throw new AppError("invalid_request", "Some ids do not exist; see `errors`.", { errors });
}

function referencesOf(entity: Entity, record: Values, index: number): Reference[] {
  return Object.entries<Field>(entity.fields).flatMap(([field, { references }]) => {
    const id = record[field];
    return references && typeof id === "string" ? [{ index, field, table: references, id }] : [];
  });
}

/**
 * Locks what it finds until the transaction ends, so that it still exists when the record that refers to it is written.
 */
export function referenceText(table: string): string {
  return table === "users"
    ? "SELECT user_id AS id FROM memberships WHERE organization_id = $1 AND user_id = ANY ($2::uuid[])"
    : `SELECT record.id FROM ${lookupEach(table, "id", "t.id", "KEY SHARE")}`;
}

function faultOf({ index, field, table }: Reference, prefixOf: PrefixOf): Fault {
  const detail =
    table === "users"
      ? "No user of the organization has this id; `GET /api/v1/users` lists them."
      : "No record has this id.";
  return { pointer: `${prefixOf(index)}/${field}`, code: "not_found", detail };
}

/** The change of a record. */
interface Change {
  id: string;
  values: Values;
}

/** Serializes changes of a hierarchy: two concurrent changes could form a cycle together that neither would see. */
const LOCK_HIERARCHY = "SELECT pg_advisory_xact_lock(hashtextextended('above ' || $1 || $2, 0))";

/** Locks what is above what by `field` of an entity, until the transaction ends. Lock the records before. */
export async function lockHierarchy(
  client: PoolClient,
  { resource }: Entity,
  field: string,
  organizationId: string,
): Promise<void> {
  await client.query(LOCK_HIERARCHY, [organizationId, `${resource}.${field}`]);
}

/**
 * Those of the records $2 that would be above themselves if they pointed at $3. Records that are not written point
 * where the table says.
 */
function cyclesText({ resource }: Entity, field: string): string {
  return `
  WITH RECURSIVE planned AS (SELECT * FROM unnest($2::uuid[], $3::uuid[]) AS p (id, parent)),
  above (start, id) AS (
    SELECT id, parent FROM planned WHERE parent IS NOT NULL
    UNION
    SELECT above.start, next.parent FROM above CROSS JOIN LATERAL (
      SELECT parent FROM planned WHERE planned.id = above.id
      UNION ALL
      (SELECT "${field}" FROM ${resource} AS t WHERE organization_id = $1 AND t.id BETWEEN above.id AND above.id
         AND NOT EXISTS (SELECT FROM planned WHERE planned.id = above.id) ORDER BY t.id LIMIT 1)
    ) AS next (parent)
    WHERE next.parent IS NOT NULL AND above.id <> above.start
  )
  SELECT id FROM above WHERE id = start`;
}

/**
 * Asserts that no record gets above itself, by pointing at itself or at a record below it: following the references
 * would never end. Locks changes of the organization's hierarchy until the transaction ends. New records are below no
 * other. Throws `invalid_request` with a fault per record.
 */
export async function assertNoCycles(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  changes: readonly Change[],
  prefixOf: PrefixOf,
): Promise<void> {
  const ownKind = Object.entries<Field>(entity.fields).filter(([, { references }]) => references === entity.resource);
  const errors: Fault[] = [];
  for (const [field] of ownKind) {
    const moved = changes.filter(({ values }) => values[field] !== undefined);
    if (moved.every(({ values }) => values[field] === null)) continue;
    await lockHierarchy(client, entity, field, organizationId);
    const values = [organizationId, moved.map(({ id }) => id), moved.map((change) => change.values[field])];
    const { rows } = await client.query<{ id: string }>(cyclesText(entity, field), values);
    const cyclic = new Set(rows.map(({ id }) => id));
    const detail = `The ${entity.label} would be above itself: it is this record, or this record is below it.`;
    changes.forEach(({ id }, index) => {
      if (cyclic.has(id)) errors.push({ pointer: `${prefixOf(index)}/${field}`, code: "invalid_value", detail });
    });
  }
  if (errors.length > 0)
    throw new AppError("invalid_request", "A record cannot be above itself; see `errors`.", { errors });
}
