import { onResponseSent } from "@/lib/http/request";

// Next evaluates modules once per bundle; one process counts once.
const holder = globalThis as typeof globalThis & { crmOutages?: Set<string> };

/** Ids of requests for pages that could not be made because the database is unavailable. */
const outages = (holder.crmOutages ??= new Set());

/** Notes that the page of a request could not be made because of an outage. Next would answer with the status 500. */
export function noteOutage(requestId: string): void {
  outages.add(requestId);
  onResponseSent(requestId, () => outages.delete(requestId));
}

/** Whether an outage was noted for a request. */
export function hasOutage(requestId: string): boolean {
  return outages.has(requestId);
}
