import { type SourceObjectName, isSourceObject, PART_OF } from "@/lib/migration/objects/source-object-names";
import type { ObjectMapping } from "@/lib/migration/report/map-object";
import type { Report, Risk } from "@/lib/migration/report/report-schema";
import type { Survey } from "@/lib/migration/report/survey";
import type { LeftOutByObject } from "@/lib/migration/report/wording";
import type { SalesforceClient } from "@/lib/salesforce/client";

/** The facts that the risk checks work on. */
export interface ReportFacts {
  client: SalesforceClient;
  organizationId: string;
  survey: Survey;
  mappings: Partial<Record<SourceObjectName, ObjectMapping>>;
  automations: Report["automations"];
  estimate: Report["estimate"];
  /** The records that a run is expected to leave out. */
  leftOut: LeftOutByObject;
  /** Whether the connection can renew its access token. */
  renewable: boolean;
  /** Whether whoever runs this service has registered it at Salesforce. */
  canSignIn: boolean;
}

/** A check for one thing that may go wrong in this org. It may query the source. */
export type RiskCheck = (facts: ReportFacts) => Promise<Risk[]> | Risk[];

/** Whether the user may see a field of an object. */
export function canSeeField(
  { mappings }: Pick<ReportFacts, "mappings">,
  object: SourceObjectName,
  field: string,
): boolean {
  return mappings[object]?.fields.some(({ source }) => source === field) ?? false;
}

/** The parent object that all records of an object need, if the user may not see it; else null. */
export function unreadableParentOf(survey: Survey, object: string): SourceObjectName | null {
  const part = isSourceObject(object) ? PART_OF[object] : undefined;
  const isSeen = (name: string) => survey.objects.some((candidate) => candidate.name === name && candidate.readable);
  return part?.required && isSeen(object) && !isSeen(part.parent) ? part.parent : null;
}

/** Whether a run with the defaults imports an object: it is readable, and so is its parent if its records need one. */
export function isImportable(
  { survey, mappings }: Pick<ReportFacts, "survey" | "mappings">,
  object: SourceObjectName,
): boolean {
  const readable = survey.objects.some(({ name, readable: canBeRead }) => name === object && canBeRead);
  return readable && mappings[object] !== undefined && !unreadableParentOf(survey, object);
}
