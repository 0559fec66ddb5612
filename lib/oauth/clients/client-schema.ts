import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { SCOPES } from "@/lib/context";

/** A webhook that is switched on and whose endpoint an app has set. */
export const clientWebhook = z.object({ id: z.uuidv7(), host: z.string().describe("Of its endpoint.") });
export type ClientWebhook = z.infer<typeof clientWebhook>;

/** A client as the settings show it, on the server and in the browser. Of a secret, only its dates are shown. */
export const oauthClient = z.object({
  id: z.uuidv7(),
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.enum(SCOPES)),
  created_by: z.string().nullable().describe("E-mail address of the admin who created it."),
  created_at: timestampOutput,
  version: z.int().describe("Raised with each change of the name or the redirect URIs."),
  last_used_at: timestampOutput.nullable().describe("When an access token of it was last used, to about a minute."),
  live_tokens: z.int().describe("Access tokens that open the API at this moment."),
  allowed_by: z.int().describe("How many people have allowed it to act in their name."),
  webhooks: z
    .array(clientWebhook)
    .describe("Those that are switched on and whose endpoint it set. They end with it, unless they are kept."),
  secrets: z
    .array(z.object({ id: z.uuidv7(), created_at: timestampOutput, expires_at: timestampOutput.nullable() }))
    .describe("Newest first."),
});

export type OauthClient = z.infer<typeof oauthClient>;

/** The answer to a registration or a rotation, the only one that contains the secret. */
export const oauthClientWithSecret = oauthClient.extend({ client_secret: z.string() });

export type OauthClientWithSecret = z.infer<typeof oauthClientWithSecret>;

/** What ended with a client or a grant. */
export const endedAppAccess = z.object({
  id: z.uuidv7(),
  revoked: z.literal(true),
  tokens_stopped: z.int(),
  webhooks_switched_off: z.int().optional(),
  webhooks_kept: z.int().optional().describe("In place of `webhooks_switched_off`, where that was asked for."),
});

export type EndedAppAccess = z.infer<typeof endedAppAccess>;
