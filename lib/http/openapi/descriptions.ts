import type { Scope } from "@/lib/context";
import type { JsonSchema } from "@/lib/http/openapi/json-schema";
import { type Relation, relationsTo } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Values } from "@/lib/records/schema/write-input";

/** The groups of operations, by the first segment of their path, with an introduction to each. */
export const TAGS: Record<string, string> = {
  accounts: "Companies and other organizations that one does business with.",
  contacts: "People, mostly of an account.",
  cases: "What customers ask or complain about, from the first message until it is resolved.",
  case_comments: "The thread of a case: comments, and e-mails in both directions.",
  activities: "Tasks, events, calls, e-mails and notes, about any other record.",
  leads:
    "People who may become customers. A lead that does is converted into an account, a contact and perhaps an " +
    "opportunity, and can only be read and deleted from then on.",
  opportunities: "Deals on their way through the stages of a sale.",
  pipeline: "The opportunities of each stage, counted and summed.",
  record_counts: "How many records of each kind there are.",
  search:
    "All kinds of records at once, by the beginnings of their words, the end of a phone number, or the number of a " +
    "case without its zeros.",
  deleted_records: "What was deleted in the last 30 days, and can be restored by `POST …/{id}/restore`.",
  products: "What is sold: the catalog of the ERP. A token with `erp:read` alone reads it too.",
  migration:
    "Bringing the records of a Salesforce org here: connect and analyze it, read the report, configure, run, " +
    "follow the progress.",
  webhooks:
    "Where events are sent as they happen, signed and tried again until they arrive, and what became of each. For " +
    "admins. The field `events` names the types that are sent; `GET /events` tells of more kinds of records.",
  files: "Attachments and files of records, which a migration copied because its configuration says so.",
  users: "The people of the organization. Each record has one of them as its owner, by `owner_id`.",
  events: "What has changed, in order: for clients that missed a webhook.",
};

export function tagOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** "case_comments" → "Case comments". */
export function titleOf(tag: string): string {
  const words = tag.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a scope lets an access token do. */
export const SCOPE_SUMMARIES: Record<Scope, string> = {
  "crm:read":
    "Read all records and their files, the users of the organization, and the reports of migrations; for an admin, " +
    "webhooks and their deliveries, too.",
  "crm:write":
    "Read and change all records, connect Salesforce orgs and run migrations; for an admin, manage webhooks, undo " +
    "migrations for good and add members. It includes crm:read.",
  "erp:read": "Read products.",
};

const AMOUNT = "At most two decimals; requests take amounts from -70,000,000,000,000 to 70,000,000,000,000.";

/** Descriptions of fields whose name does not explain them. A name means the same in every record. */
const FIELD_DESCRIPTIONS: Record<string, string> = {
  created_at: "When the record was created; of an imported one, when it was created in the Salesforce org.",
  ext_id:
    "The id that the record has elsewhere, such as in the Salesforce org. No two records of a resource have the same.",
  owner_id:
    "The user who is responsible for it. `GET /users` lists the ids of users, and `expand=owner` shows who it is; " +
    "leave it out to own the new record yourself.",
  contact_id: "A request that sets it does not fill in `account_id`: give that too.",
  custom_fields:
    "What is kept beyond these fields: any JSON values by name. A change merges by name, and null removes a name. " +
    "Together at most 131,072 characters as JSON and 1,000 names, unless an import made more.",
  version: "Counts up with every change.",
  case_number: "What people call the case by. It is issued when the case is created, and never given to another one.",
  position: "The place in the thread of the case, from 1.",
  kind: "A comment, or an e-mail that came in or went out.",
  is_public: "Whether customers may see it.",
  amount: `${AMOUNT} The currency is in \`currency\`.`,
  annual_revenue: AMOUNT,
  unit_price: `${AMOUNT} The currency is in \`currency\`.`,
  currency: "The three capital letters of ISO 4217.",
  probability: "In percent. A request that sets or changes `stage` without it makes it that of the stage.",
  forecast_category: "A request that sets or changes `stage` without it makes it that of the stage.",
  stage_changed_at: "When the stage was changed last.",
  is_closed: "Follows from the stage.",
  is_won: "Follows from the stage.",
  completed_at:
    "When it was done. A request that sets or changes `status` without it makes it the present time where the status " +
    "becomes `completed`, and empties it otherwise.",
  closed_at:
    "Since when the status is `closed`; empty in every other. An imported case has the time at which Salesforce " +
    "closed it, whatever its status here, until its status is changed.",
  author_id: "The user who wrote it. `GET /users` lists the ids of users.",
  converted_at: "Since when the lead is converted. From then on it can only be read and deleted.",
  converted_account_id: "The account that the lead became.",
  converted_contact_id: "The contact that the lead became.",
  converted_opportunity_id: "The opportunity that the lead became.",
};

/** Adds descriptions to the schema of a record, or of a request that writes one, and the defaults of a creation. */
export function describeFields(
  schema: JsonSchema,
  isReadOnly: (name: string) => boolean,
  defaults: Readonly<Values>,
): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const description = field.description ?? FIELD_DESCRIPTIONS[name];
    const described = { ...field, ...(description && { description }), ...(isReadOnly(name) && { readOnly: true }) };
    return [name, Object.hasOwn(defaults, name) ? { ...described, default: defaults[name] } : described];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

const CONVERTED_LEAD_NOTE =
  "A lead that has been converted can no longer be changed (409, `illegal_state`): it is kept as it was then. " +
  "Change the account and the contact that it became.";

/** Notes on single operations, in Markdown. */
export const OPERATION_NOTES: Readonly<Record<string, string>> = {
  update_lead: CONVERTED_LEAD_NOTE,
  upsert_lead: CONVERTED_LEAD_NOTE,
  batch_leads: CONVERTED_LEAD_NOTE,
  convert_lead:
    "A lead is converted once, and can only be read and deleted from then on. A repeat is refused (409, " +
    "`conflict`) with the ids of the records that it became, in `records`; `detail` names those that have been " +
    "deleted since.",
};

/**
 * How deleting a record affects others, as a list in Markdown with a line per relation; undefined if no relation leads
 * to such records.
 */
export function deletionEffects(resource: ResourceName): string | undefined {
  const effects = relationsTo(resource).map((relation) => `- ${effectOf(relation)}`);
  return effects.length > 0 ? effects.join("\n") : undefined;
}

function effectOf({ from, field, isPart }: Relation): string {
  const others = from.resource.replaceAll("_", " ");
  if (isPart) return `Its ${others} are deleted with it, and restored with it.`;
  return `Of ${others} that point at it, \`${field}\` becomes null; restoring it sets it again where it is still null.`;
}
