import { hash } from "node:crypto";

import { AppError } from "@/lib/errors";
import type { ObjectConfiguration, RelationshipChoice } from "@/lib/migration/configuration/configuration-schema";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import {
  isRead,
  RECORD_FIELDS,
  chosenTarget,
  fieldOf,
  fillerOf,
  possibleTargets,
} from "@/lib/migration/configuration/mapping-rules";
import type { Scalar, Shape, SourceField, SourceObject } from "@/lib/migration/objects/declaration";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { type Relationship, relationshipsOf } from "@/lib/migration/objects/relationships";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import {
  type Place,
  placeInColumn,
  placeInCustomFields,
  findUnknownChoice,
} from "@/lib/migration/pipeline/map/place-field";
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
  /** The same as long as the plan is made of the same fields and choices. */
  fingerprint: string;
}

/** Fields that every record needs, whether or not the user may see them. */
const NEEDED = { Id: "id", CreatedDate: "datetime", IsDeleted: "boolean" };

/**
 * Combines the declaration of an object, the describe of the source and the choices of the user. `related`: the custom
 * fields that come from other objects. Throws `invalid_request` for an impossible choice.
 */
export function planObject(
  name: MigratedObjectName,
  described: readonly SourceField[],
  choices: Partial<ObjectConfiguration> = {},
  related: readonly string[] = [],
): Plan {
  const object = SOURCE_OBJECTS[name];
  const read = described.filter(
    (field) => isRead(field, object.ignoredFields) && choices.fields?.[field.name] !== null,
  );
  const names = described.map((field) => field.name);
  const own = [...names, ...(names.includes("OwnerId") ? ["Owner.Name"] : []), ...related];
  return {
    object,
    select: [...new Set([...Object.keys(NEEDED), ...read.map((field) => field.name)])],
    types: { ...NEEDED, ...Object.fromEntries(read.map((field) => [field.name, field.type])) },
    main: planShape(object, read, choices, own),
    alternative: object.alternative
      ? planShape(object.alternative.shape, read, { relationships: choices.relationships }, own)
      : null,
    fingerprint: hash("sha256", JSON.stringify([name, read.map((field) => [field.name, field.type]), choices])),
  };
}

function planShape(
  shape: Shape,
  read: readonly SourceField[],
  choices: Partial<ObjectConfiguration>,
  ownCustomFields: readonly string[],
): ShapePlan {
  const targets = chooseTargets(shape, read, choices.fields ?? {});
  const filled = [
    ...new Set([...targets.values(), ...Object.keys(shape.computed), ...Object.keys(shape.placeholders)]),
  ].filter((name) => name !== CUSTOM_FIELDS);
  const isReference = (name: string) => (fieldOf(shape.resource, name).references ?? "users") !== "users";
  return {
    shape,
    fields: [...targets].map(([source, target]) => ({
      source,
      target,
      place: placeOf(shape, source, target, choices.values?.[source] ?? {}),
    })),
    columns: filled.filter((name) => !isReference(name)).map((name) => ({ name, filler: fillerOf(shape, name) })),
    references: filled.filter(isReference),
    links: relationshipsOf(shape, targets).map((relationship) => ({
      ...relationship,
      choice: choices.relationships?.[relationship.field] ?? "heal",
    })),
    unread: unreadColumns(shape, new Set([...read.map(({ name }) => name), ...ownCustomFields]), targets),
    // It is kept where another field tells the creation, also if that one cannot be read any more.
    ownCustomFields: shape.createdFrom ? ownCustomFields.filter((name) => name !== "CreatedDate") : ownCustomFields,
  };
}

/** The links to records of the same resource, which may be imported later than the records that point at them. */
export function selfLinksOf({ shape, links }: Pick<ShapePlan, "shape" | "links">): Link[] {
  return links.filter(({ target }) => target === shape.resource);
}

function placeOf(shape: Shape, source: string, target: string, values: Record<string, string>): Place {
  if (target === CUSTOM_FIELDS) return placeInCustomFields(source);
  const unknown = findUnknownChoice(shape.resource, target, values);
  if (unknown !== null) throw invalidChoice(source, unknown);
  return placeInColumn(shape.resource, source, target, values);
}

/** Source field → target. */
function chooseTargets(
  shape: Shape,
  read: readonly SourceField[],
  chosen: Record<string, string | null>,
): Map<string, string> {
  const possible = new Set([...possibleTargets(shape), CUSTOM_FIELDS]);
  const free = read.filter(({ name }) => !Object.hasOwn(RECORD_FIELDS, name) && !Object.hasOwn(shape.fixed, name));
  return new Map(
    free.map(({ name }) => {
      const target =
        chosenTarget({ source: name, target: shape.fields[name]?.target ?? CUSTOM_FIELDS }, chosen) ?? CUSTOM_FIELDS;
      if (!possible.has(target)) throw invalidChoice(name, target);
      return [name, target];
    }),
  );
}

function invalidChoice(source: string, choice: string): AppError {
  return new AppError(
    "invalid_request",
    `The configuration maps ${source} onto ${choice}, which is not possible. Choose another target for it.`,
  );
}
