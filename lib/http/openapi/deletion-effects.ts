import type { ResourceName } from "@/lib/records/resources";
import { type Relation, relationsTo } from "@/lib/records/relations";

/** What a deletion of a record does to others, as a list in Markdown, one line per relation; undefined where nothing points at such records. */
export function deletionEffects(resource: ResourceName): string | undefined {
  const effects = relationsTo(resource).map((relation) => `- ${effectOf(relation)}`);
  return effects.length > 0 ? effects.join("\n") : undefined;
}

function effectOf({ from, field, isPart }: Relation): string {
  const others = from.resource.replaceAll("_", " ");
  if (isPart) return `Its ${others} are deleted with it, and restored with it.`;
  return `Of ${others} that point at it, \`${field}\` becomes null; restoring it sets it again where it is still null.`;
}
