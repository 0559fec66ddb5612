import { z } from "zod";

/** A connected Salesforce org, which the service can read. */
export const connection = z.object({
  connection_id: z.uuid(),
  created_at: z.string(),
  created_by_id: z.uuid(),
  ext_instance_url: z.string(),
  org_name: z.string().nullable(),
  /** The Salesforce user whose permissions decide what is read. */
  username: z.string().nullable(),
  /** True after a sign-in at Salesforce: access is renewed automatically. False for an access token, which expires. */
  renewable: z.boolean(),
  /** Migrations of it that are being analyzed or run. */
  migrations_under_way: z.number().int(),
});

export type Connection = z.infer<typeof connection>;

/** The result of disconnecting an org. */
export const disconnection = connection.pick({ connection_id: true, ext_instance_url: true, org_name: true }).extend({
  /** Migrations that were being analyzed or run. They end in failure. */
  migrations_stopped: z.number().int(),
  /** Whether Salesforce has revoked the access as well. */
  revoked: z.boolean(),
  /** Why Salesforce has not revoked it; null if it has. */
  not_revoked_because: z.string().nullable(),
});

export type Disconnection = z.infer<typeof disconnection>;
