import type { Shape, SourceObject } from "@/lib/migration/objects/declaration";

/**
 * The fields that decide whether a record is skipped, what shape it takes, what it is a copy of, and what `refine`
 * makes of it. They are read also if the user leaves them out: only their values are not kept then.
 */
export function ruleFieldsOf({ ruleFields, alternative, ...main }: SourceObject): ReadonlySet<string> {
  const shapes: Shape[] = alternative ? [main, alternative.shape] : [main];
  const ofShapes = shapes.flatMap(({ fixed, computed }) => [...Object.keys(fixed), ...Object.values(computed).flat()]);
  return new Set([...ruleFields, ...ofShapes]);
}
