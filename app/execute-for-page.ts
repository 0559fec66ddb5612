import type { z } from "zod";

import type { Context } from "@/lib/context";
import { acquireSlot } from "@/lib/http/api/concurrency-limit";
import { type Download, execute, type JsonText, type Operation } from "@/lib/operation";

/** How long a page waits for a slot. Then it is sent without the data, and the browser asks the API. */
const MAX_WAIT_MS = 200;

/**
 * Runs an operation for a page, in one of the slots of its organization's requests: otherwise the pages of one
 * organization could take every connection to PostgreSQL. Throws what {@link execute} throws, and `too_many_requests`
 * where no slot is free in time.
 */
export async function executeForPage<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  context: Context,
  input: unknown,
): Promise<z.input<Output> | JsonText | Download> {
  const release = await acquireSlot(context.organizationId, AbortSignal.timeout(MAX_WAIT_MS));
  return execute(operation, context, input).finally(release);
}
