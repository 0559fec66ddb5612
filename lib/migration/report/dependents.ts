import { isMigrated } from "@/lib/migration/object-names";
import { PART_OF } from "@/lib/migration/objects/part-of";
import type { MigratedObjectName } from "@/lib/migration/schemas";
import type { Survey } from "@/lib/migration/report/survey";

/** The object that all of this one's records belong to, if the user may not see it. */
export function dependsOnUnreadable(survey: Survey, object: string): MigratedObjectName | null {
  const part = isMigrated(object) ? PART_OF[object] : undefined;
  const isSeen = (name: string) => survey.objects.some((candidate) => candidate.name === name && candidate.readable);
  return part?.always && isSeen(object) && !isSeen(part.whole) ? part.whole : null;
}
