import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import type { ApiLimit } from "@/lib/migration/configuration/api-limit";
import type { RunKey } from "@/lib/migration/migration-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";

/** How often a run looks whether the org has API requests again. Each look costs one. */
export const LOOK_AGAIN_MS = 15 * 60_000;

const DAY_MS = 86_400_000;

/** The API requests of a run, see the columns of `migrations`. */
export interface ApiBudget {
  client: SalesforceClient;
  limit: ApiLimit | undefined;
  /** Stored with the migration, since `since`. */
  used: number;
  since: Date;
  /** How many requests of the client are stored. */
  stored: number;
}

/** The limit of the user's choice is reached. The run goes on by itself, at `next` at the earliest. */
export class ApiLimitReached extends AppError {
  constructor(
    detail: string,
    readonly next: Date,
  ) {
    super("source_limit_exceeded", detail);
  }
}

/** Adds what the client has sent to the requests of the run, which are counted for a day and then anew. */
const COUNT = `
  UPDATE migrations SET
    api_requests = $4 + CASE WHEN api_counted_since > now() - interval '1 day' THEN api_requests ELSE 0 END,
    api_counted_since = CASE WHEN api_counted_since > now() - interval '1 day' THEN api_counted_since ELSE now() END
  WHERE organization_id = $1 AND id = $2 AND run_number = $3
  RETURNING api_requests AS used, api_counted_since AS since`;

/** Opens the budget of a run. With a limit, asks the org for its present usage, by one request. */
export async function openBudget(run: RunKey, client: SalesforceClient, limit?: ApiLimit): Promise<ApiBudget> {
  const budget = { client, limit, used: 0, since: new Date(), stored: client.requests };
  if (limit?.percent !== undefined) await client.request(client.dataPath);
  await storeApiUsage(run, budget);
  assertWithinLimit(budget);
  return budget;
}

export async function storeApiUsage(run: RunKey, budget: ApiBudget): Promise<void> {
  const sent = budget.client.requests;
  const { rows } = await pool().query<Pick<ApiBudget, "used" | "since">>(COUNT, [
    run.organizationId,
    run.migrationId,
    run.runNumber,
    sent - budget.stored,
  ]);
  Object.assign(budget, rows[0], { stored: sent });
}

/** Why the run may send no more requests for now; null: it may. */
function limitReached({ limit, since, client, used: before, stored }: ApiBudget): ApiLimitReached | null {
  const used = before + client.requests - stored;
  if (limit?.requests !== undefined && used >= limit.requests) {
    const detail =
      `This run may send ${limit.requests} API requests in 24 hours (\`api_limit.requests\`), and has sent ${used}. ` +
      "It goes on by itself when the 24 hours are over.";
    return new ApiLimitReached(detail, new Date(since.getTime() + DAY_MS));
  }
  const org = client.usage;
  if (limit?.percent !== undefined && org && org.used * 100 >= org.limit * limit.percent) {
    const detail =
      `The Salesforce org has used ${org.used} of its ${org.limit} API requests of 24 hours, and the configuration ` +
      `leaves the rest to others from ${limit.percent} % on (\`api_limit.percent\`). The run goes on by itself when ` +
      "the org has some again.";
    return new ApiLimitReached(detail, new Date(Date.now() + LOOK_AGAIN_MS));
  }
  return null;
}

export function isLimitReached(budget: ApiBudget): boolean {
  return limitReached(budget) !== null;
}

/** Asserts that the run may send more requests. Throws {@link ApiLimitReached}. */
export function assertWithinLimit(budget: ApiBudget): void {
  const reached = limitReached(budget);
  if (reached) throw reached;
}
