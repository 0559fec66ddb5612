import { z } from "zod";

import { pool } from "@/lib/database/db";
import { defineOperation } from "@/lib/operation";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** One round trip. Each part is an index-only scan of the organization's range of a primary key. */
const COUNTS = RESOURCES.map(
  (resource) =>
    `SELECT '${resource}' AS resource, count(*)::int AS records FROM ${resource} WHERE organization_id = $1`,
).join(" UNION ALL ");

export const getRecordCounts = defineOperation({
  name: "get_record_counts",
  summary: "How many records of each kind there are.",
  scopes: ["crm:read"],
  input: z.strictObject({}),
  output: z.object({
    data: z.array(z.object({ resource: z.enum(RESOURCES), records: z.int() })).describe("One for each kind."),
  }),
  async run({ organizationId }) {
    const { rows } = await pool().query<{ resource: ResourceName; records: number }>(COUNTS, [organizationId]);
    return { data: rows };
  },
});
