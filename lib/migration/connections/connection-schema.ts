import { z } from "zod";

import { idInput, timestampOutput } from "@/lib/input/ids-and-times";

/** A connected Salesforce org, which the service can read. */
export const connection = z.object({
  connection_id: z.uuid(),
  created_at: timestampOutput,
  created_by_id: z.uuid(),
  ext_instance_url: z.string(),
  org_name: z.string().nullable(),
  username: z.string().nullable().describe("The Salesforce user whose permissions decide what is read."),
  renewable: z
    .boolean()
    .describe(
      "true after a sign-in at Salesforce: access is renewed by itself. false for an access token, which expires.",
    ),
  migrations_under_way: z.number().int().describe("Migrations of it that are being analyzed or run."),
});

export type Connection = z.infer<typeof connection>;

/** The result of disconnecting an org. */
export const disconnection = connection.pick({ connection_id: true, ext_instance_url: true, org_name: true }).extend({
  migrations_stopped: z.number().int().describe("Migrations that were being analyzed or run. They end in failure."),
  revoked: z.boolean().describe("Whether Salesforce has revoked the access as well."),
  not_revoked_because: z.string().nullable().describe("Why Salesforce has not revoked it; null if it has."),
});

export type Disconnection = z.infer<typeof disconnection>;

export const accessTokenInput = z
  .string()
  .min(1)
  .max(4000)
  .describe("An access token of the Salesforce user who is to read the org. It is stored encrypted.");

export const connectionIdInput = idInput(
  "`connection_id` must be the id of a connection: a UUID of version 7.",
).describe("In place of an access token, alone: a connected org, as `GET /migration/connections` lists them.");

/** POST /migration/analyze: the org's address and an access token, or a connection made by a sign-in at Salesforce. */
export const analyzeInput = z
  .strictObject({
    ext_instance_url: z.string().min(1).max(2000).optional().describe("With `ext_access_token`: the org's address."),
    ext_access_token: accessTokenInput.optional(),
    connection_id: connectionIdInput.optional(),
  })
  .refine(
    ({ connection_id: connection, ext_instance_url: url, ext_access_token: token }) =>
      connection ? !url && !token : url && token,
    {
      message: "Send ext_instance_url and ext_access_token, or connection_id alone.",
    },
  )
  .meta({ anyOf: [{ required: ["ext_instance_url", "ext_access_token"] }, { required: ["connection_id"] }] });
