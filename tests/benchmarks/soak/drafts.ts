import { pick } from "@/tests/benchmarks/soak/actor";

const STAGES = ["prospecting", "qualification", "proposal", "negotiation", "closed_won"];
const STATUSES = ["new", "in_progress", "waiting_on_customer", "resolved"];

const DRAFTS: Record<string, (n: number) => object> = {
  accounts: (n) => ({
    name: `Alpine Tools ${n}`,
    industry: "Machinery",
    annual_revenue: n,
    currency: "EUR",
    website: "https://alpine.example",
  }),
  contacts: (n) => ({
    last_name: `Berger ${n}`,
    first_name: "Ada",
    email: `ada.${n}@alpine.example`,
    title: "Head of pumps",
  }),
  cases: (n) => ({
    subject: `Pump ${n} is loud`,
    status: pick(STATUSES),
    priority: "high",
    custom_fields: { Region__c: "North", Score__c: n },
  }),
  activities: (n) => ({ type: "task", subject: `Call back about pump ${n}`, due_date: "2027-03-01" }),
  leads: (n) => ({ last_name: `Huber ${n}`, company: "Huber GmbH", email: `huber.${n}@example.com` }),
  opportunities: (n) => ({
    name: `Order ${n}: valves`,
    stage: pick(STAGES),
    amount: n,
    currency: "EUR",
    close_date: "2027-06-30",
  }),
  products: (n) => ({ name: `Pump ${n}`, family: "Pumps", unit_price: 99.5, currency: "EUR" }),
};

/** The resources that are written. */
export const RESOURCES = Object.keys(DRAFTS);

/** The fields for creating or changing a record of the resource. */
export function draft(resource: string): object {
  return DRAFTS[resource]?.(Math.floor(Math.random() * 5000)) ?? {};
}
