import { to18 } from "../generator/ids";
import { RUNNING_USER } from "../generator/owners";
import { fullName } from "../generator/people";
import { idOf } from "../generator/references";
import type { Database } from "../data/database";
import type { Table } from "../data/table";
import type { Field, Json } from "../schema/field";
import { ControlError } from "./control-error";

/** One change to the org's records. */
export interface Change {
  readonly op: "insert" | "update" | "delete" | "undelete" | "purge";
  readonly object: string;
  readonly id?: string;
  readonly fields?: Readonly<Record<string, Json>>;
  /** When it happened, ISO 8601. Default: now. */
  readonly at?: string;
  /** Leaves LastModifiedDate and SystemModstamp unchanged, as a changed formula does. */
  readonly silent?: boolean;
}

function toDatetime(text: string | undefined, name: string): string {
  const date = text === undefined ? new Date() : new Date(text.replace("+0000", "Z"));
  if (Number.isNaN(date.getTime())) throw new ControlError(`${name} is not a datetime: ${text}`);
  return `${date.toISOString().slice(0, 23)}+0000`;
}

/** Returns the value in the generator's format: ids with 18 characters, datetimes in UTC. */
function normalize(field: Field, value: Json): Json {
  if (typeof value !== "string") return value;
  if (field.type === "datetime") return toDatetime(value, field.name);
  return field.type === "reference" || field.type === "id" ? to18(value) : value;
}

function fieldsOf(table: Table, values: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = table.field(name);
      if (!field) throw new ControlError(`${table.name} has no field ${name}.`);
      return [field.name, normalize(field, value)];
    }),
  );
}

function text(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** Adds the Name of a person, which follows from first and last name. */
function withName(table: Table, fields: Record<string, Json>, read: (name: string) => Json): Record<string, Json> {
  const isPerson = table.name === "Contact" || table.name === "Lead";
  if (!isPerson || "Name" in fields || !("FirstName" in fields || "LastName" in fields)) return fields;
  const part = (name: string): string | null => text(name in fields ? fields[name] : read(name));
  return { ...fields, Name: fullName(part("FirstName"), part("LastName") ?? "") };
}

function insert(database: Database, table: Table, { fields = {}, at }: Change): string {
  const ordinal = table.size;
  const id = table.idAt(ordinal);
  if (id === null) throw new ControlError(`Records of ${table.name} cannot be inserted.`);
  const now = toDatetime(at, "at");
  const user = idOf(database.org, "User", RUNNING_USER);
  const audit = {
    CreatedDate: now,
    LastModifiedDate: now,
    SystemModstamp: now,
    CreatedById: user,
    LastModifiedById: user,
    OwnerId: user,
  };
  const known = Object.fromEntries(Object.entries(audit).filter(([name]) => table.field(name) !== undefined));
  table.overlay.insert(
    ordinal,
    withName(table, { ...known, ...fieldsOf(table, fields), Id: id, IsDeleted: false }, () => null),
  );
  return id;
}

function changeStamps(table: Table, { at, silent }: Change): Record<string, Json> {
  if (silent === true) return {};
  const now = toDatetime(at, "at");
  const stamps = { LastModifiedDate: now, SystemModstamp: now };
  return Object.fromEntries(Object.entries(stamps).filter(([name]) => table.field(name) !== undefined));
}

/** Of feeds: only who edits the words moves it. */
function editStamp(table: Table, { at, silent }: Change, own: Readonly<Record<string, Json>>): Record<string, Json> {
  const isEdit = ["Body", "CommentBody", "Title"].some((name) => name in own);
  if (silent === true || !isEdit || table.field("LastEditDate") === undefined) return {};
  return { LastEditDate: toDatetime(at, "at") };
}

function change(table: Table, ordinal: number, request: Change): void {
  const patch = table.overlay.patchOf(ordinal);
  if (request.op === "purge") {
    // What is in the recycle bin keeps the time of its deletion.
    if (!table.isDeleted(ordinal)) Object.assign(patch.fields, changeStamps(table, request), { IsDeleted: true });
    patch.purged = true;
    return;
  }
  const own = request.op === "update" ? fieldsOf(table, request.fields ?? {}) : { IsDeleted: request.op === "delete" };
  const read = (name: string): Json => {
    const field = table.field(name);
    return field ? table.read(field, ordinal) : null;
  };
  Object.assign(patch.fields, changeStamps(table, request), editStamp(table, request, own), withName(table, own, read));
}

/** Makes one change and returns the record's id. */
export function mutate(database: Database, request: Change): string {
  const table = database.table(request.object);
  if (!table) throw new ControlError(`There is no object ${request.object}.`);
  if (request.op === "insert") return insert(database, table, request);
  const ordinal = table.find(request.id ?? "");
  if (ordinal < 0) throw new ControlError(`${table.name} has no record ${request.id}.`);
  change(table, ordinal, request);
  return to18(request.id ?? "");
}
