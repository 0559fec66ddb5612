import { readdirSync } from "node:fs";

import { GET as download } from "@/app/api/v1/files/[id]/content/route";
import { GET as get } from "@/app/api/v1/files/[id]/route";
import { GET as list } from "@/app/api/v1/files/route";
import { env } from "@/lib/env";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

export const COPY = { files: { copy: true, max_mb: 1 } } as Partial<Configuration>;

interface FileView {
  id: string;
  ext_id: string;
  name: string;
  size: number;
  sha256: string;
  record_id: string;
  content_type: string | null;
}

/** The endpoints of files, as a member of the organization sees them. */
export async function apiOf(organizationId: string) {
  const headers = { authorization: `Bearer ${await createAccessToken(await createContext({ organizationId }))}` };
  const at = (path: string, method = "GET") => new Request(`http://localhost:3000/api/v1${path}`, { method, headers });
  return {
    list: async (query = ""): Promise<FileView[]> =>
      ((await (await list(at(`/files?limit=200${query}`))).json()) as { data: FileView[] }).data,
    get: (id: string) => get(at(`/files/${id}`), { params: Promise.resolve({ id }) }),
    download: (id: string, method = "GET") =>
      download(at(`/files/${id}/content`, method), { params: Promise.resolve({ id }) }),
  };
}

/** How far the files of a migration are copied. */
export async function copied({ migrationId }: MigrationKey) {
  const { rows } = await pool().query(
    `SELECT stored, unchanged, skipped, failed, bytes::int, finished_at IS NOT NULL AS finished, left_out
     FROM migration_files WHERE migration_id = $1`,
    [migrationId],
  );
  return rows[0] as Record<string, unknown> & { stored: number; bytes: number; left_out: { ext_id: string }[] };
}

/** The names of all files in the folder of the storage. */
export function contents(): string[] {
  return readdirSync(env.DATA_DIR, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}
