import type { Values } from "@/lib/records/write-input";

const ADDRESS = ["street", "city", "state", "postal_code", "country"] as const;

function addressAs(prefix: string, lead: Values): Values {
  return Object.fromEntries(ADDRESS.map((part) => [`${prefix}_${part}`, lead[`address_${part}`]]));
}

/** What an account takes over of a lead that is converted into it (Salesforce, "Lead Conversion Field Mapping"); only what the lead says. */
export function accountOf(lead: Values, name: string): Values {
  const { phone, website, industry, rating, annual_revenue, number_of_employees } = lead;
  return onlyGiven({ name, phone, website, industry, rating, annual_revenue, number_of_employees, ...addressAs("billing", lead) });
}

/** What a contact takes over. */
export function contactOf(lead: Values, accountId: string): Values {
  const { first_name, last_name, title, email, phone, mobile_phone, description, source: lead_source } = lead;
  const person = { first_name, last_name, title, email, phone, mobile_phone, description, lead_source };
  return onlyGiven({ account_id: accountId, ...person, ...addressAs("mailing", lead) });
}

/** What an opportunity takes over, beside what is asked of it. */
export function opportunityOf(lead: Values, ids: { account_id: string; contact_id: string }, asked: Values): Values {
  return onlyGiven({ ...ids, lead_source: lead.source, ...asked });
}

/** Of those values, the ones that an existing record says nothing of: a conversion fills blanks and overwrites nothing. */
export function blanksOf(record: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => record[name] === null));
}

function onlyGiven(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}
