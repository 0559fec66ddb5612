import type { Route } from "@/tests/benchmarks/api/read-routes";
import type { Tenant } from "@/tests/benchmarks/api/tenants";

const LIST = "/api/v1/opportunities";

/** Records created by one request of {@link batchRoute}. */
export const BATCH = 100;

const OPPORTUNITY = {
  name: "Order of pumps and valves",
  stage: "proposal",
  amount: 12_500,
  currency: "EUR",
  close_date: "2030-06-30",
  type: "New business",
  lead_source: "Trade fair",
  next_step: "Send the offer",
  description: "Asked for an offer at the trade fair; wants to see the pump in Innsbruck first.",
  custom_fields: { Region__c: "North", Score__c: 7 },
};

export function createRoute(tenants: readonly Tenant[]): Route {
  const body = JSON.stringify(OPPORTUNITY);
  return { name: "create", requests: tenants.map(({ token }) => ({ method: "POST", path: LIST, token, body })) };
}

export function batchRoute(tenants: readonly Tenant[]): Route {
  const items = Array.from({ length: BATCH }, () => ({ action: "create", data: OPPORTUNITY }));
  const body = JSON.stringify({ mode: "all_or_nothing", items });
  return {
    name: `batch of ${BATCH} creates`,
    requests: tenants.map(({ token }) => ({ method: "POST", path: `${LIST}/batch`, token, body })),
  };
}
