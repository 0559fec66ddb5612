import { formatNumber } from "@/lib/amounts";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { Limits } from "@/lib/salesforce/describe";

/** The API of Salesforce that an object is read by. */
export type Api = "rest" | "bulk";

/**
 * From this many records on, Bulk API 2.0 takes less time than pages over REST. A job is computed before its first
 * record can be read, so below that it takes longer than it saves. SFDMU changes over at the same number.
 */
const MIN_BULK_RECORDS = 30_000;

/** From here on Salesforce advises Bulk API 2.0 (Bulk API 2.0 Developer Guide, "How Requests Are Processed"). */
const MIN_ADVISED_RECORDS = 2000;

/** The share of the remaining API requests that one object may cost. Beyond it, Bulk API 2.0 saves the requests. */
const MAX_REQUEST_SHARE = 0.1;

/** What is left of the org's limits; null: the org does not say. */
export interface LimitsLeft {
  requests: number | null;
  bulkJobs: number | null;
}

/** What is left, by what the org answers; API requests by the header of its answers if it does not show its limits. */
export function limitsLeft(limits: Limits | null, usage: SalesforceClient["usage"]): LimitsLeft {
  return {
    requests: limits?.DailyApiRequests?.Remaining ?? (usage ? usage.limit - usage.used : null),
    bulkJobs: limits?.DailyBulkV2QueryJobs?.Remaining ?? null,
  };
}

export interface ApiChoice {
  api: Api;
  /** A sentence for people. */
  reason: string;
}

interface Facts {
  setting: "auto" | Api;
  /** Null if they could not be counted. */
  records: number | null;
  /** A field that Bulk API 2.0 cannot return, or null. */
  unsupportedField: string | null;
  /** Whether Salesforce limits how many can be read at once. */
  hasPageLimit: boolean;
  /** Asked for only if the answer depends on it. */
  limits: () => Promise<LimitsLeft> | LimitsLeft;
}

/** Chooses how an object is read, and says why. */
export async function chooseApi(facts: Facts): Promise<ApiChoice> {
  const { setting, records, unsupportedField, hasPageLimit, limits } = facts;
  // A query without LIMIT is refused to some users, and a job of the Bulk API cannot be split by one.
  if (hasPageLimit) return rest("Salesforce limits how many of these can be read at once.");
  if (setting === "rest") return rest("Chosen in the configuration.");
  if (setting === "auto" && (records ?? 0) < MIN_ADVISED_RECORDS) return rest(fewRecords(records));
  if (unsupportedField !== null) return rest(`Bulk API 2.0 cannot return the field ${unsupportedField}.`);
  return chooseByLimits(setting, records ?? 0, await limits());
}

function chooseByLimits(setting: "auto" | "bulk", records: number, { requests, bulkJobs }: LimitsLeft): ApiChoice {
  if (bulkJobs !== null && bulkJobs <= 0) return rest("The org has no jobs of the Bulk API left today.");
  if (setting === "bulk") return { api: "bulk", reason: "Chosen in the configuration." };
  if (records >= MIN_BULK_RECORDS)
    return { api: "bulk", reason: `${formatNumber(records)} records, at least ${formatNumber(MIN_BULK_RECORDS)}.` };
  const pages = Math.ceil(records / MAX_PAGE_RECORDS);
  if (requests === null || pages <= requests * MAX_REQUEST_SHARE) return rest(fewRecords(records));
  const reason =
    `Reading ${formatNumber(records)} records over REST takes ${formatNumber(pages)} API requests or more, and the ` +
    `org has ${formatNumber(requests)} left.`;
  return { api: "bulk", reason };
}

function rest(reason: string): ApiChoice {
  return { api: "rest", reason };
}

function fewRecords(records: number | null): string {
  if (records === null) return "Its records could not be counted.";
  return `${formatNumber(records)} records, fewer than ${formatNumber(MIN_BULK_RECORDS)}.`;
}
