import type { Table } from "../data/table";
import { ok } from "../server/call";
import type { Handler } from "../server/exchange";

const BULK_QUERY_JOBS = 10_000;

const unused = (maximum: number): { Max: number; Remaining: number } => ({ Max: maximum, Remaining: maximum });

export const limits: Handler = ({ org }) => {
  const { dailyLimit } = org.options;
  return ok({
    ConcurrentAsyncGetReportInstances: unused(200),
    DailyApiRequests: { Max: dailyLimit, Remaining: Math.max(0, dailyLimit - org.stats.apiCalls) },
    DailyBulkApiBatches: unused(15_000),
    DailyBulkV2QueryFileStorageMB: unused(1_000_000),
    DailyBulkV2QueryJobs: { Max: BULK_QUERY_JOBS, Remaining: BULK_QUERY_JOBS - org.jobs.created },
    DataStorageMB: { Max: 10_240, Remaining: 9_000 },
    FileStorageMB: { Max: 10_240, Remaining: 10_000 },
    HourlyODataCallout: unused(20_000),
  });
};

/** Counts the records that are neither deleted nor archived. */
function countOf(table: Table): number {
  let count = 0;
  for (let ordinal = 0; ordinal < table.size; ordinal++) if (table.isVisible(ordinal, false)) count += 1;
  return count;
}

/** Leaves out unknown names, and objects that Salesforce does not count. */
export const recordCount: Handler = ({ org, search }) => {
  const requested = search
    .get("sObjects")
    ?.split(",")
    .map((name) => name.trim());
  const tables = requested ? requested.flatMap((name) => org.database.table(name) ?? []) : org.database.tables("data");
  const counted = tables.filter(({ object }) => object.associateEntityType === null && object.queryable);
  return ok({ sObjects: counted.map((table) => ({ count: countOf(table), name: table.name })) });
};
