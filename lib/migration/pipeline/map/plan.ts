import { hash } from "node:crypto";

import type { ObjectConfiguration, RelationshipChoice } from "@/lib/migration/configuration/configuration-schema";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { fieldOf, fillerOf, isRead } from "@/lib/migration/configuration/mapping-rules";
import type { Scalar, Shape, SourceField, SourceObject } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type Relationship, relationshipsOf } from "@/lib/migration/objects/relationships";
import { ruleFieldsOf } from "@/lib/migration/objects/rule-fields";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { chooseTargets, placeOf } from "@/lib/migration/pipeline/map/choose-targets";
import { type Labels, labelsOf } from "@/lib/migration/pipeline/map/labels";
import type { Place } from "@/lib/migration/pipeline/map/place-field";
import { unreadColumns } from "@/lib/migration/pipeline/map/unread-columns";

/** How to build records of one shape, computed once for all of them. */
export interface ShapePlan {
  shape: Shape;
  /** The filled columns except references, with the value for records whose source has none. */
  columns: { name: string; filler: Scalar }[];
  /** Reference columns. SQL replaces their source ids by ours. */
  references: string[];
  /** What fills the references, with what becomes of records whose other record is not here. */
  links: Link[];
  fields: { source: string; target: string; place: Place }[];
  /** Fields that are read for the rules alone, because the user leaves them out. */
  leftOut: readonly string[];
  /** Columns that an earlier run may have filled and that no field goes to now: emptied where nobody has edited. */
  emptied: ReadonlySet<string>;
  /** Columns of which not every field is read: a record that is here keeps what it has there. */
  unread: ReadonlySet<string>;
  /** The custom fields that the import writes or removes. A record that is here keeps its others. */
  ownCustomFields: readonly string[];
}

export interface Link extends Relationship {
  choice: RelationshipChoice;
}

/** How one object is read and mapped in one run. */
export interface Plan {
  object: SourceObject;
  /** The fields to select from the source. */
  select: string[];
  /** The Salesforce type of each of them. */
  types: Readonly<Record<string, string>>;
  main: ShapePlan;
  alternative: ShapePlan | null;
  /** The names of the record types of its records. */
  recordTypes: Labels;
  /** The same as long as the plan is made of the same fields and choices. */
  fingerprint: string;
}

/** The plans of the shapes that records of the object take. */
export function shapesOf({ main, alternative }: Pick<Plan, "main" | "alternative">): ShapePlan[] {
  return alternative ? [main, alternative] : [main];
}

/** Fields that every record needs, whether or not the user may see them. */
const NEEDED = { Id: "id", CreatedDate: "datetime", IsDeleted: "boolean" };

/** The custom fields with the names of what these fields have ids of. */
const NAMES_BESIDE_IDS = { OwnerId: "Owner.Name", RecordTypeId: "RecordType.Name" };

/**
 * Combines the declaration of an object, the describe of the source and the choices of the user. `related`: the custom
 * fields that come from other objects. Throws `invalid_request` for an impossible choice.
 */
export function planObject(
  name: SourceObjectName,
  described: readonly SourceField[],
  choices: Partial<ObjectConfiguration> = {},
  related: readonly string[] = [],
): Plan {
  const object = SOURCE_OBJECTS[name];
  const isKept = ({ name: source }: SourceField) =>
    choices.fields?.[source] !== null || Object.hasOwn(object.fixed, source);
  const rules = ruleFieldsOf(object);
  const read = described.filter(
    (field) => isRead(field, object.ignoredFields) && (isKept(field) || rules.has(field.name)),
  );
  const [kept, leftOut] = [read.filter(isKept), read.filter((field) => !isKept(field))];
  const names = described.map((field) => field.name);
  const added = Object.entries(NAMES_BESIDE_IDS).flatMap(([id, name]) => (names.includes(id) ? [name] : []));
  const importedNames = [...names, ...added, ...related];
  const fields = { kept, leftOut: leftOut.map((field) => field.name), importedNames };
  const typed = read.map((field) => [field.name, field.type, ...labelsOf(field)]);
  return {
    object,
    select: [...new Set([...Object.keys(NEEDED), ...read.map((field) => field.name)])],
    types: { ...NEEDED, ...Object.fromEntries(read.map((field) => [field.name, field.type])) },
    main: planShape(object, fields, choices),
    alternative: object.alternative
      ? planShape(object.alternative.shape, fields, { relationships: choices.relationships })
      : null,
    recordTypes: labelsOf(kept.find((field) => field.name === "RecordTypeId") ?? {}),
    fingerprint: hash("sha256", JSON.stringify([name, typed, choices])),
  };
}

/** The fields of an object as all its shapes have them. */
interface PlannedFields {
  kept: readonly SourceField[];
  leftOut: readonly string[];
  /** The names that custom fields of the import have; see `ownCustomFields`. */
  importedNames: readonly string[];
}

function planShape(
  shape: Shape,
  { kept, leftOut, importedNames }: PlannedFields,
  choices: Partial<ObjectConfiguration>,
): ShapePlan {
  const targets = chooseTargets(shape, kept, choices.fields ?? {});
  const labels = new Map(kept.map((field) => [field.name, labelsOf(field)]));
  const given = new Set([...targets.values(), ...Object.keys(shape.computed), ...Object.keys(shape.placeholders)]);
  const emptied = formerTargets(shape, importedNames, choices.fields ?? {}).filter((name) => !given.has(name));
  const filled = [...given, ...emptied].filter((name) => name !== CUSTOM_FIELDS);
  const isReference = (name: string) => (fieldOf(shape.resource, name).references ?? "users") !== "users";
  return {
    shape,
    fields: [...targets].map(([source, target]) => ({
      source,
      target,
      place: placeOf(shape, source, target, choices.values?.[source] ?? {}, labels.get(source) ?? new Map()),
    })),
    columns: filled.filter((name) => !isReference(name)).map((name) => ({ name, filler: fillerOf(shape, name) })),
    references: filled.filter(isReference),
    links: relationshipsOf(shape, targets).map((relationship) => ({
      ...relationship,
      choice: choices.relationships?.[relationship.field] ?? "heal",
    })),
    leftOut,
    emptied: new Set(emptied),
    unread: unreadColumns(shape, new Set(importedNames), targets),
    // It is kept where another field tells the creation, also if that one cannot be read any more.
    ownCustomFields: shape.createdFrom ? importedNames.filter((name) => name !== "CreatedDate") : importedNames,
  };
}

/**
 * The columns that readable fields of the source go to by default, unless the user chose them for a field that cannot
 * be read now.
 */
function formerTargets(
  { fields }: Shape,
  readable: readonly string[],
  chosen: ObjectConfiguration["fields"],
): string[] {
  const unread = Object.entries(chosen).filter(([source]) => !readable.includes(source));
  const kept = new Set(unread.map(([, target]) => target));
  const targets = readable.flatMap((source) => (Object.hasOwn(fields, source) ? (fields[source]?.target ?? []) : []));
  return [...new Set(targets)].filter((column) => !kept.has(column));
}

/** The links to records of the same resource, which may be imported later than the records that point at them. */
export function selfLinksOf({ shape, links }: Pick<ShapePlan, "shape" | "links">): Link[] {
  return links.filter(({ target }) => target === shape.resource);
}
