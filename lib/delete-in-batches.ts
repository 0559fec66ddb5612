import { pool } from "@/lib/db";

/** How many rows a statement of {@link deleteInBatches} deletes, so that none holds locks for long. */
export const DELETE_BATCH = 5000;

/** Repeats a statement that deletes up to {@link DELETE_BATCH} rows until it finds fewer, at most so many times. Gives how many rows are gone. */
export async function deleteInBatches(text: string, values: readonly unknown[] = [], mostBatches = Infinity): Promise<number> {
  let total = 0;
  for (let gone = DELETE_BATCH, batches = 0; gone === DELETE_BATCH && batches < mostBatches; batches += 1) {
    gone = (await pool().query(text, [...values])).rowCount ?? 0;
    total += gone;
  }
  return total;
}
