import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { execute, type Operation, valueOf } from "@/lib/operation";
import type { ResourceName } from "@/lib/records/schema/resources";
import { insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

/** A record in a response. */
export type Answer = Record<string, unknown> & { id: string; version: number };

/** Runs an operation as a request does, and returns its result. */
export async function run(operation: unknown, context: Context, input: object): Promise<Answer> {
  return valueOf(await execute(operation as Operation, context, input)) as Answer;
}

/** The refusal of an outcome: the code, and each fault as "pointer code". */
export async function refusal(outcome: Promise<unknown>) {
  const error = await outcome.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error(`It was not refused: ${String(error)}`);
  return { code: error.code, errors: error.errors.map(({ pointer, code }) => `${pointer} ${code}`) };
}

/** The events of a record, in order. */
export async function eventsOf(id: string): Promise<{ type: string; object: Answer; previous: object | null }[]> {
  const { rows } = await pool().query(
    "SELECT type, object, previous FROM events WHERE record_id = $1 ORDER BY tx, id",
    [id],
  );
  return rows as { type: string; object: Answer; previous: object | null }[];
}

/** {@link NEEDED}, with the case of a comment. */
export async function neededBy(resource: ResourceName, context: Context): Promise<object> {
  return resource === "case_comments"
    ? { ...NEEDED[resource], case_id: await insertRecord("cases", context.organizationId) }
    : NEEDED[resource];
}
