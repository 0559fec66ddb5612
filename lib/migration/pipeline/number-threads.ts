import type { PoolClient } from "pg";

/** Numbers the thread of every case from 1, in the order of time; entries of the same moment in the order of their source ids. */
export async function numberThreads(client: PoolClient, organizationId: string): Promise<void> {
  await client.query(
    `UPDATE case_comments AS c SET position = numbered.position
     FROM (
       SELECT id, row_number() OVER (PARTITION BY case_id ORDER BY created_at, ext_id COLLATE "C", id) AS position
       FROM case_comments WHERE organization_id = $1
     ) AS numbered
     WHERE c.organization_id = $1 AND c.id = numbered.id AND c.position <> numbered.position`,
    [organizationId],
  );
}
