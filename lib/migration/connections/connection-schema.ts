import { z } from "zod";

import { idInput } from "@/lib/input/ids-and-times";

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

/** POST /migration/analyze: the org's address and an access token, or a connection made by a sign-in at Salesforce. */
export const analyzeInput = z
  .strictObject({
    ext_instance_url: z.string().min(1).max(2000).optional(),
    ext_access_token: z.string().min(1).max(4000).optional(),
    connection_id: idInput("`connection_id` must be the id of a connection: a UUID of version 7.").optional(),
  })
  .refine(
    ({ connection_id: connection, ext_instance_url: url, ext_access_token: token }) =>
      connection ? !url && !token : url && token,
    {
      message: "Send ext_instance_url and ext_access_token, or connection_id alone.",
    },
  );
