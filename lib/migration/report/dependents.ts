import type { MigratedObjectName } from "@/lib/migration/schemas";
import type { Survey } from "@/lib/migration/report/survey";

/** Objects whose records cannot be without those of another. E-mails can: outside of cases they become activities. */
const PARTS: Record<string, MigratedObjectName> = { CaseComment: "Case" };

/** The object that this one's records belong to, if the user may not see it. */
export function dependsOnUnreadable(survey: Survey, object: string): MigratedObjectName | null {
  const parent = PARTS[object];
  const isSeen = (name: string) => survey.objects.some((candidate) => candidate.name === name && candidate.readable);
  return parent && isSeen(object) && !isSeen(parent) ? parent : null;
}
