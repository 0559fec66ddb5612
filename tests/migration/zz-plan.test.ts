import { test } from "vitest";
import { pool } from "@/lib/db";
import { createContext } from "@/tests/support/factories";
import { begin, createReady } from "@/tests/migration/ready-migration";
test("plan", async () => {
  const c = await createContext();
  const a = await createReady(c); await begin(c, a);
  const fill = (id: string, n: number) => pool().query(`INSERT INTO migration_record_issues (organization_id,id,migration_id,object,ext_id,outcome,code,reason,created_at)
   SELECT $1, uuidv7(), $2, CASE WHEN g%2=0 THEN 'Case' ELSE 'Account' END, 'x'||g, 'failed','c','r',now() FROM generate_series(1,$3::int) g`, [c.organizationId, id, n]);
  await fill(a, 2000);
  const b = await createReady(c); await begin(c, b); await fill(b, 300000);
  await pool().query("ANALYZE");
  for (const [id, cursor, object] of [[a, null, null], [b, null, null], [a, null, "Case"]] as const) {
  const sql = `SELECT id, object, ext_id, outcome, code, field, value, reason FROM migration_record_issues
       WHERE organization_id = $1 AND migration_id = $2 AND ($3::uuid IS NULL OR id < $3)
         AND ($4::text IS NULL OR object = $4) AND ($5::migration_outcome IS NULL OR outcome = $5)
       ORDER BY id DESC LIMIT $6`;
  const { rows } = await pool().query("EXPLAIN (ANALYZE, BUFFERS) " + sql, [c.organizationId, id, cursor, object, null, 51]);
  console.log(rows.map((r) => r["QUERY PLAN"]).join("\n"));
  }
});
