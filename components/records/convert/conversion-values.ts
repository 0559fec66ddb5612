import { type FormValues, toJson } from "@/components/records/form/record-values";
import { type AnyRecord, textOf, nameOf } from "@/components/records/record";
import { dayOf } from "@/components/ui/text/time-zone";
import { ENTITIES } from "@/lib/records/schema/registry";

/** The inputs to which the API's faults may point. */
export const CONVERSION_FIELDS = [
  "account_name",
  "account_id",
  "contact_id",
  "name",
  "close_date",
  "stage",
  "amount",
  "currency",
  "owner_id",
];

/** An opportunity needs a close date, and people know it seldom so early. The end of a quarter may be tomorrow. */
const DAYS_TO_CLOSE = 30;

/** Everything new, and an opportunity, as most leads become. `account` and `contact` are `new` or `existing`. */
export function initialConversion(lead: AnyRecord, now = new Date()): FormValues {
  const company = textOf(lead, "company");
  return {
    account: "new",
    account_name: company,
    account_id: "",
    contact: "new",
    contact_id: "",
    has_opportunity: true,
    name: company || nameOf("leads", lead),
    close_date: dayOf(now, DAYS_TO_CLOSE),
    stage: "prospecting",
    amount: "",
    currency: "",
    owner_id: "",
  };
}

/** The body of the request. The account of an existing contact, if it has one, is not asked for. */
export function conversionOf(values: FormValues, accountOfContact: string | null): Record<string, unknown> {
  return {
    ...(accountOfContact === null && accountOf(values)),
    ...(values.contact === "existing" && { contact_id: values.contact_id }),
    ...(values.has_opportunity && { create_opportunity: opportunityOf(values) }),
    ...(values.owner_id && { owner_id: values.owner_id }),
  };
}

function accountOf({ account, account_id, account_name }: FormValues): Record<string, unknown> {
  return account === "existing" ? { account_id } : { account_name };
}

function opportunityOf({ name, close_date, stage, amount, currency }: FormValues): Record<string, unknown> {
  const sum = toJson(ENTITIES.opportunities.fields.amount, amount);
  return { name, close_date, stage, ...(sum !== null && { amount: sum }), ...(currency && { currency }) };
}
