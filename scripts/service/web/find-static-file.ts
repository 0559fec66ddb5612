import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";
import { Semaphore } from "@/lib/semaphore";

/** Anybody may ask for a script: these take no more connections than a page needs, and wait no longer than it does. */
const lookups = new Semaphore(2);
const MAX_WAITING = 50;

/**
 * The compressed copy of a script or style of any build that is kept (scripts/postgres/store-static-files.ts). `path`
 * is below `.next`. Undefined where there is none, and where it cannot be found out now.
 */
export async function findStaticFile(path: string): Promise<Buffer | undefined> {
  if (lookups.waiting >= MAX_WAITING) return undefined;
  const text = "SELECT content FROM static_files WHERE path = $1 LIMIT 1";
  try {
    const { rows } = await lookups.run(() =>
      pool().query<{ content: Buffer }>({ name: "static-file", text, values: [path] }),
    );
    return rows[0]?.content;
  } catch (error) {
    log.warn({ err: error }, "could not look for a script of another build");
    return undefined;
  }
}
