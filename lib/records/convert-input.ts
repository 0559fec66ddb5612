import { z } from "zod";

import { idInput, pathId } from "@/lib/id-input";
import { account } from "@/lib/records/entities/account";
import { lead } from "@/lib/records/entities/lead";
import { opportunity } from "@/lib/records/entities/opportunity";

const { name, close_date, stage, amount, currency, owner_id } = opportunity.fields;

const createOpportunity = z.strictObject({
  name: name.input,
  close_date: close_date.input,
  stage: stage.input.default("prospecting"),
  amount: amount.input.exactOptional(),
  currency: currency.input.exactOptional(),
});

/** The body of a conversion, and the lead's id. */
export const convertInput = z.strictObject({
  id: pathId(lead.label),
  account_id: idInput("This must be the id of an account.").exactOptional().describe("An account that is there; without it, one is made."),
  account_name: account.fields.name.input.exactOptional().describe("The name of the account that is made, instead of the lead's `company`."),
  contact_id: idInput("This must be the id of a contact.").exactOptional().describe("A contact that is there; without it, one is made."),
  create_opportunity: createOpportunity.exactOptional().describe("Makes an opportunity too."),
  owner_id: owner_id.input.exactOptional().describe("Who owns what is made, instead of the lead's owner."),
});

const made = z.object({ id: z.uuidv7(), created: z.boolean() });

export const convertOutput = z.object({ lead: lead.output, account: made, contact: made, opportunity: made.nullable() });
