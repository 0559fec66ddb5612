import { idAt } from "../generator/ids";
import type { Org } from "../generator/population";

export interface RecordTypeRow {
  readonly sobjectType: string;
  readonly developerName: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly isPersonType: boolean;
}

export const RECORD_TYPES: readonly RecordTypeRow[] = [
  {
    sobjectType: "Account",
    developerName: "Business_Account",
    name: "Business Account",
    isActive: true,
    isPersonType: false,
  },
  {
    sobjectType: "Account",
    developerName: "PersonAccount",
    name: "Person Account",
    isActive: true,
    isPersonType: true,
  },
  { sobjectType: "Case", developerName: "Support", name: "Support", isActive: true, isPersonType: false },
  { sobjectType: "Case", developerName: "Complaint", name: "Complaint", isActive: true, isPersonType: false },
  {
    sobjectType: "Case",
    developerName: "Field_Service_2014",
    name: "Field Service (2014)",
    isActive: false,
    isPersonType: false,
  },
];

const PREFIX = "012";

export function recordTypeId(org: Org, developerName: string): string {
  return idAt(
    org.seed,
    PREFIX,
    RECORD_TYPES.findIndex((type) => type.developerName === developerName),
  );
}
