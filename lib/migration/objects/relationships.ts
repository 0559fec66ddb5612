import { chosenTarget, fieldOf, isMappable, possibleTargets } from "@/lib/migration/configuration/mapping-rules";
import type { Shape } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport } from "@/lib/migration/report/report-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A source field that links a record to another one, and the column that the link is stored in. */
export interface Relationship {
  field: string;
  column: string;
  /** The resource of the other record. */
  target: ResourceName;
  /** The first characters of the ids concerned, for a field that points at several objects; else null. */
  prefix: string | null;
  /** Whether no record can be stored without the link: a comment belongs to a case. */
  required: boolean;
}

/** The relationships of a shape. `targets`: where its other source fields go. */
export function relationshipsOf(
  shape: Pick<Shape, "resource" | "relations">,
  targets: Iterable<readonly [field: string, target: string]>,
): Relationship[] {
  const mapped = [...targets].flatMap(([field, column]) => relationshipOf(shape, field, column, null));
  const computed = Object.entries(shape.relations ?? {}).flatMap(([field, columns]) =>
    Object.entries(columns).flatMap(([prefix, column]) => relationshipOf(shape, field, column, prefix)),
  );
  return [...mapped, ...computed];
}

function relationshipOf(
  { resource }: Pick<Shape, "resource">,
  field: string,
  column: string,
  prefix: string | null,
): Relationship[] {
  const { references: target, required } = fieldOf(resource, column);
  return target && target !== "users" ? [{ field, column, target, prefix, required }] : [];
}

/**
 * The relationships of an object whose source has `fields`, by source field, with the user's choices of targets: those
 * of both shapes that its records take.
 */
export function relationshipsByField(
  name: SourceObjectName,
  fields: readonly Pick<FieldReport, "source" | "type" | "target">[],
  chosen: Readonly<Record<string, string | null>> = {},
): Map<string, Relationship[]> {
  const object = SOURCE_OBJECTS[name];
  const targets = fields
    .filter((field) => isMappable(name, field))
    .flatMap((field) => {
      const target = chosenTarget(field, chosen);
      return target === null || !isPossible(object, target) ? [] : [[field.source, target] as const];
    });
  const found = [
    ...relationshipsOf(object, targets),
    ...(object.alternative ? relationshipsOf(object.alternative.shape, []) : []),
  ];
  const visible = new Set(fields.map(({ source }) => source));
  return Map.groupBy(
    found.filter(({ field }) => visible.has(field)),
    ({ field }) => field,
  );
}

function isPossible(shape: Shape, target: string): boolean {
  return possibleTargets(shape).includes(target);
}
