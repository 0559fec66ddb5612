import { z } from "zod";

/** A Salesforce org that the service can read, as somebody has connected it. */
export const connection = z.object({
  connection_id: z.uuid(),
  created_at: z.string(),
  created_by_id: z.uuid(),
  ext_instance_url: z.string(),
  org_name: z.string().nullable(),
  /** The Salesforce user whose permissions decide what is read. */
  username: z.string().nullable(),
  /** Whether access is renewed by itself, after a sign-in at Salesforce; an access token ends. */
  renewable: z.boolean(),
  /** Migrations that are being analyzed or run over it. */
  migrations_under_way: z.number().int(),
});

export type Connection = z.infer<typeof connection>;

/** What became of a disconnected org. */
export const disconnection = connection.pick({ connection_id: true, ext_instance_url: true, org_name: true }).extend({
  /** Migrations that were being analyzed or run, and end in failure now. */
  migrations_stopped: z.number().int(),
  /** Whether Salesforce has ended the access as well. */
  revoked: z.boolean(),
  /** Why Salesforce has not; null when it has. */
  not_revoked_because: z.string().nullable(),
});

export type Disconnection = z.infer<typeof disconnection>;
