import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { selectedObjects } from "@/lib/migration/configuration/selected-objects";
import { objectName } from "@/lib/migration/objects/source-object-names";
import { countLinks, nullWhenUncountable } from "@/lib/migration/relationships/list-relationships";
import { TooManyDeleted } from "@/lib/migration/relationships/records-here";
import { COUNT_TIMEOUT_MS } from "@/lib/migration/report/answer-within";
import { type Quality, tooFewRequests } from "@/lib/migration/report/quality/quality-schema";
import type { Report } from "@/lib/migration/report/report-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";

/**
 * Counts the records whose link will lead nowhere after a run, as the list of relationships counts them. All links have
 * one timeout; those that are not counted by then are left out.
 */
export async function countOrphans(
  client: SalesforceClient,
  organizationId: string,
  inventory: Report["inventory"],
  configuration: Configuration,
  requestsLeft: number | null,
): Promise<Quality["orphans"]> {
  const tooFew = tooFewRequests(requestsLeft);
  if (tooFew) return { data: [], not_counted_because: tooFew };
  const selected = selectedObjects({ inventory }, configuration);
  const signal = AbortSignal.timeout(COUNT_TIMEOUT_MS);
  const counting = { client, organizationId, configuration, selected, signal };
  const reasons = new Set<string>();
  const explained = new Set<string>();
  const links = await countLinks(counting, (error, { object, field }) => {
    if (signal.aborted) return null;
    if (!(error instanceof TooManyDeleted)) return nullWhenUncountable(error);
    reasons.add(error.message);
    explained.add(`${object}.${field}`);
    return null;
  });
  const data = links.map(({ object, field, label, target, choice, records, missing }) => {
    return { object, field, label, target, choice, records, missing };
  });
  const unexplained = data.filter(
    ({ object, field, missing }) => missing === null && !explained.has(`${object}.${field}`),
  );
  const objects = new Set(unexplained.map(({ object }) => objectName(object)));
  if (objects.size > 0) reasons.add(reasonOf([...objects], signal.aborted));
  return { data, not_counted_because: [...reasons].join(" ") || null };
}

function reasonOf(objects: readonly string[], isTooSlow: boolean): string {
  const names = objects.join(", ");
  return isTooSlow
    ? `Salesforce did not count all links of ${names} within ${COUNT_TIMEOUT_MS / 1000} seconds.`
    : `Salesforce cannot count all links of ${names}.`;
}
