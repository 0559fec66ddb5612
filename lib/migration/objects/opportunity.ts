import {
  cleanJson,
  type Draft,
  exact,
  likely,
  type Scalar,
  type SourceObject,
  textOf,
} from "@/lib/migration/objects/declaration";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { relateByPrefix, VALUE_BY_VALUE } from "@/lib/migration/objects/refine-steps";
import { fieldsOfList, keepList, setList } from "@/lib/migration/objects/related-lists";
import { CLOSING } from "@/lib/records/entities/opportunity";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The custom field with the products of an opportunity, one entry per line. */
const LINES = "OpportunityLineItems";

/** The custom fields of an opportunity that come from its lines. */
export const CUSTOM_FIELDS_OF_LINES = fieldsOfList(LINES);

/** More lines than this are counted, not kept. */
const MAX_LINES = 200;

const CLOSING_NOTE = "Follows from the stage; where Salesforce says otherwise, that is kept as a custom field.";

const RELATIONS = { ContactId: { [KEY_PREFIXES.Contact]: "contact_id" } };

const NO_STAGE = "prospecting";

export const opportunity: SourceObject = {
  name: "Opportunity",
  label: "opportunity",
  resource: "opportunities",
  fields: {
    AccountId: exact("account_id"),
    Name: exact("name"),
    StageName: likely("stage", `${VALUE_BY_VALUE} A closed one gets a closed stage.`),
    Amount: exact("amount"),
    CurrencyIsoCode: exact("currency"),
    Probability: exact("probability"),
    CloseDate: exact("close_date"),
    Type: exact("type"),
    LeadSource: exact("lead_source"),
    NextStep: exact("next_step"),
    ForecastCategoryName: likely("forecast_category", VALUE_BY_VALUE),
    LastStageChangeDate: exact("stage_changed_at"),
    Description: exact("description"),
  },
  fixed: {
    ContactId: exact("contact_id", "The primary contact; its id is kept as a custom field if it is not imported."),
    IsClosed: likely("is_closed", CLOSING_NOTE),
    IsWon: likely("is_won", CLOSING_NOTE),
  },
  relations: RELATIONS,
  placeholders: { name: "(no name)", stage: NO_STAGE, close_date: "1970-01-01" },
  computed: { contact_id: ["ContactId"], is_closed: [], is_won: [] },
  follows: { is_closed: "stage", is_won: "stage" },
  // Says the same as ForecastCategoryName, with names that cannot be changed. The others follow from the current date
  // and change though nobody changes the record: days since dates that are kept, and whether a Task is late.
  ignoredFields: ["ForecastCategory", "AgeInDays", "LastActivityInDays", "LastStageChangeInDays", "HasOverdueTask"],
  ruleFields: ["HasOpportunityLineItem"],
  refine(record, draft) {
    relateByPrefix(record, draft, RELATIONS);
    close(record, draft);
    draft.columns.close_date ??= textOf(record, "CreatedDate")?.slice(0, 10) ?? null;
    keepList(record, LINES, draft);
  },
};

/**
 * Sets whether an opportunity is closed and won, which follows from its stage here. An organization names its stages as
 * it likes, so one that Salesforce has closed gets a closed stage, and keeps what its own one says.
 */
function close(record: SourceRecord, { columns, customFields }: Draft): void {
  const { stage } = columns;
  if (record.IsClosed === true && !closingOf(stage).is_closed) {
    if (stage !== undefined) customFields.StageName ??= stage;
    columns.stage = record.IsWon === true ? "closed_won" : "closed_lost";
  }
  const { is_closed, is_won } = closingOf(columns.stage);
  Object.assign(columns, { is_closed, is_won });
  for (const [field, here] of Object.entries({ IsClosed: is_closed, IsWon: is_won })) {
    const there = record[field] ?? here;
    if (there !== here) customFields[field] = cleanJson(there);
  }
}

function closingOf(stage: Scalar | undefined): (typeof CLOSING)[keyof typeof CLOSING] {
  return CLOSING[(stage ?? NO_STAGE) as keyof typeof CLOSING];
}

/** Sets the primary contact of an opportunity that names none itself. */
export function setPrimaryContact(record: SourceRecord, contactId: string): void {
  record.ContactId ??= contactId;
}

/** Adds lines to an opportunity, in the order that its page in Salesforce shows, without what is empty. */
export function setLines(record: SourceRecord, lines: readonly SourceRecord[]): void {
  const inOrder = lines.toSorted((one, other) => placeOf(one) - placeOf(other) || (idOf(one) < idOf(other) ? -1 : 1));
  setList(record, LINES, inOrder.map(lineOf), MAX_LINES);
}

function idOf({ Id }: SourceRecord): string {
  return String(Id);
}

function placeOf({ SortOrder }: SourceRecord): number {
  return typeof SortOrder === "number" ? SortOrder : Number.MAX_SAFE_INTEGER;
}

const NOT_TOLD = new Set(["attributes", "OpportunityId"]);

function lineOf(line: SourceRecord): SourceRecord {
  const told = Object.entries(line).filter(([name, value]) => !NOT_TOLD.has(name) && value !== null);
  return Object.fromEntries(told);
}
