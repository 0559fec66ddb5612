import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { queryAsOwner } from "@/tests/service/setup/query-as-owner";

/** Adds a file to each of the records, without a content: only a migration stores those. Returns their ids. */
export async function makeFiles(caseIds: readonly string[], name: string): Promise<string[]> {
  // As after the first one, since a storage that is gone is an error.
  await mkdir(join(process.env.DATA_DIR || ".data", "files"), { recursive: true });
  const { rows } = await queryAsOwner<{ id: string }>(
    `INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
     SELECT organization_id, overlay(id::text PLACING 'aaa' FROM 21 FOR 3)::uuid, now(), 'cases', id, id::text, $2,
       5, ''
     FROM cases WHERE id = ANY($1::uuid[]) RETURNING id`,
    [caseIds, name],
  );
  return rows.map(({ id }) => id);
}
