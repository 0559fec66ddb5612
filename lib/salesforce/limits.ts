import { z } from "zod";

import { MOST_OBJECTS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { nullWhenRefused } from "@/lib/salesforce/null-when-refused";

const limit = z.object({ Remaining: z.number() });
const limitsAnswer = z.object({ DailyApiRequests: limit.optional() });
const countsAnswer = z.object({ sObjects: z.array(z.object({ name: z.string(), count: z.number().int().nonnegative() })).max(MOST_OBJECTS) });

export type Limits = z.output<typeof limitsAnswer>;

/** The org's limits and what is left of them; null when the user may not see them. */
export async function readLimits(client: SalesforceClient): Promise<Limits | null> {
  return client.json(`${client.dataPath}/limits`, limitsAnswer).catch(nullWhenRefused);
}

/** Names per call, so that the URL stays short. */
const NAMES_PER_CALL = 100;

/**
 * Approximate record counts by object: a snapshot without deleted and archived records, where objects without records are missing.
 * Null when the user lacks “View Setup and Configuration”.
 */
export async function recordCounts(client: SalesforceClient, objects: readonly string[]): Promise<Map<string, number> | null> {
  const counts = new Map<string, number>();
  for (let start = 0; start < objects.length; start += NAMES_PER_CALL) {
    const names = objects.slice(start, start + NAMES_PER_CALL).map(encodeURIComponent);
    const answer = await client.json(`${client.dataPath}/limits/recordCount?sObjects=${names.join(",")}`, countsAnswer).catch(nullWhenRefused);
    if (!answer) return null;
    for (const { name, count } of answer.sObjects) counts.set(name, count);
  }
  return counts;
}
