import { cleanJson, exact, likely, type Mapping, type SourceObject } from "@/lib/migration/objects/declaration";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { relateByPrefix } from "@/lib/migration/objects/refine-steps";

/** What a converted lead became: source field → key prefix of an id → reference column. */
const CONVERTED = {
  ConvertedAccountId: { [KEY_PREFIXES.Account]: "converted_account_id" },
  ConvertedContactId: { [KEY_PREFIXES.Contact]: "converted_contact_id" },
  ConvertedOpportunityId: { [KEY_PREFIXES.Opportunity]: "converted_opportunity_id" },
} as const;

const KEPT = "Linked if that record is imported; else its id is kept as a custom field.";

const CONVERTED_FIELDS: Record<string, Mapping> = {
  ConvertedAccountId: exact("converted_account_id", KEPT),
  ConvertedContactId: exact("converted_contact_id", KEPT),
  ConvertedOpportunityId: exact("converted_opportunity_id", KEPT),
  ConvertedDate: likely("converted_at", "Noon of the day in UTC; the day is kept as a custom field."),
};

export const lead: SourceObject = {
  name: "Lead",
  label: "lead",
  resource: "leads",
  fields: {
    FirstName: exact("first_name"),
    LastName: exact("last_name"),
    Company: exact("company"),
    Title: exact("title"),
    Email: exact("email"),
    Phone: exact("phone"),
    MobilePhone: exact("mobile_phone"),
    Website: exact("website"),
    Status: likely(
      "status",
      "Matched value by value, and “converted” for converted leads; another spelling is also kept as a custom field.",
    ),
    LeadSource: exact("source"),
    Rating: exact("rating"),
    Industry: exact("industry"),
    AnnualRevenue: exact("annual_revenue"),
    NumberOfEmployees: exact("number_of_employees"),
    Street: exact("address_street"),
    City: exact("address_city"),
    State: exact("address_state"),
    PostalCode: exact("address_postal_code"),
    Country: exact("address_country"),
    Description: exact("description"),
  },
  fixed: CONVERTED_FIELDS,
  relations: CONVERTED,
  placeholders: { last_name: "(no name)", status: "new" },
  computed: Object.fromEntries(
    Object.entries(CONVERTED_FIELDS).flatMap(([field, { target }]) => (target === null ? [] : [[target, [field]]])),
  ),
  // Consists of Salutation, FirstName and LastName.
  ignoredFields: ["Name"],
  ruleFields: ["IsConverted"],
  refine(record, draft) {
    relateByPrefix(record, draft, CONVERTED);
    const { ConvertedDate: day, IsConverted: isConverted } = record;
    if (day !== null && day !== undefined) draft.customFields.ConvertedDate = cleanJson(day);
    if (isConverted === true) draft.columns.converted_at = momentOf(day);
    const { status } = draft.columns;
    if (typeof isConverted !== "boolean" || isConverted === (status === "converted")) return;
    // Whether a lead is converted, its status alone does not say: an organization names its statuses as it likes. What
    // the status says is kept.
    if (status !== undefined) draft.customFields.Status ??= status;
    draft.columns.status = isConverted ? "converted" : "qualified";
  },
};

/** A day has no time. Noon in UTC is on that day nearly everywhere; midnight is the day before, west of it. */
function momentOf(day: unknown): string | null {
  return typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
    ? `${day}T12:00:00.000Z`
    : null;
}
