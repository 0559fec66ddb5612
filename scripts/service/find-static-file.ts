import { pool } from "@/lib/database/db";

/**
 * The compressed copy of a script or style of any build that is kept (scripts/postgres/store-static-files.ts). `path`
 * is below `.next`.
 */
export async function findStaticFile(path: string): Promise<Buffer | undefined> {
  const text = "SELECT content FROM static_files WHERE path = $1 LIMIT 1";
  const { rows } = await pool().query<{ content: Buffer }>({ name: "static-file", text, values: [path] });
  return rows[0]?.content;
}
