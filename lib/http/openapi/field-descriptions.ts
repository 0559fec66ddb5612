import type { JsonSchema } from "@/lib/http/openapi/json-schema";

/** Fields of records whose name does not explain them; one meaning wherever the name stands. */
const DESCRIPTIONS: Record<string, string> = {
  created_at: "When the record was created; of an imported one, when it was created in the Salesforce org.",
  ext_id: "The id that the record has elsewhere, such as in the Salesforce org. No two records of a resource have the same.",
  owner_id:
    "The user who is responsible for it. `GET /users` lists the ids of users, and `expand=owner` shows who it is; leave it out to own the new record yourself.",
  custom_fields:
    "What is kept beyond these fields: any JSON values by name. A change merges by name, and null removes a name. Together at most 131,072 characters as JSON and 1,000 names, unless an import brought more.",
  version: "Counts up with every change.",
  case_number: "What people call the case by. It is issued when the case is created, and never given to another one.",
  position: "The place in the thread of the case, from 1.",
  kind: "A comment, or an e-mail that came in or went out.",
  is_public: "Whether customers may see it.",
  amount: "At most two decimals; its currency is in `currency`.",
  annual_revenue: "At most two decimals.",
  unit_price: "At most two decimals; its currency is in `currency`.",
  currency: "The three capital letters of ISO 4217.",
  probability: "In percent.",
  stage_changed_at: "When the stage was changed last.",
  is_closed: "Follows from the stage.",
  is_won: "Follows from the stage.",
  closed_at: "Since when the status is `closed`; empty in every other.",
  author_id: "The user who wrote it. `GET /users` lists the ids of users.",
  converted_at: "Since when the lead is converted. From then on it can only be read and deleted.",
  converted_account_id: "The account that the lead became.",
  converted_contact_id: "The contact that the lead became.",
  converted_opportunity_id: "The opportunity that the lead became.",
};

/** Completes the schema of a record, or of what clients send of one. */
export function describeFields(schema: JsonSchema, isReadOnly: (name: string) => boolean = () => false): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const description = field.description ?? DESCRIPTIONS[name];
    return [name, { ...field, ...(description && { description }), ...(isReadOnly(name) && { readOnly: true }) }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
