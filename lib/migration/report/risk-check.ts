import type { ObjectMapping } from "@/lib/migration/report/map-object";
import type { LeftOutByObject } from "@/lib/migration/report/left-out";
import type { Survey } from "@/lib/migration/report/survey";
import type { MigratedObjectName, Report, Risk } from "@/lib/migration/schemas";
import type { SalesforceClient } from "@/lib/salesforce/client";

/** What is known when risks are looked for. */
export interface RiskFacts {
  client: SalesforceClient;
  organizationId: string;
  survey: Survey;
  mappings: Partial<Record<MigratedObjectName, ObjectMapping>>;
  automations: Report["automations"];
  estimate: Report["estimate"];
  /** What a run will leave out. */
  leftOut: LeftOutByObject;
  /** Whether the connection can renew its access token. */
  renewable: boolean;
}

/** One thing that may go wrong: finds out whether it concerns this org, asking the source where it must. */
export type RiskCheck = (facts: RiskFacts) => Promise<Risk[]> | Risk[];

/** Whether the user may see a field of an object. */
export function sees({ mappings }: Pick<RiskFacts, "mappings">, object: MigratedObjectName, field: string): boolean {
  return mappings[object]?.fields.some(({ source }) => source === field) ?? false;
}

/** "1 record", "1,204 records". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
