import { z } from "zod";

import { role } from "@/lib/generated/prisma/enums";
import { timestampOutput } from "@/lib/input/ids-and-times";

/**
 * One of the person's own sessions as the settings show it, on the server and in the browser. Its cookie holds the id
 * encrypted, so the id alone opens nothing.
 */
export const ownSession = z.object({
  id: z.uuidv7(),
  browser: z.string().describe("Browser and system in words, from the `User-Agent`."),
  address: z.string().describe("Network address of the last use."),
  created_at: timestampOutput,
  last_used_at: timestampOutput.describe("To about a minute."),
  is_current: z.boolean().describe("Whether this request comes from it."),
});

export type OwnSession = z.infer<typeof ownSession>;

/** A member as the settings show it, on the server and in the browser. */
export const member = z.object({
  user_id: z.uuidv7(),
  name: z.string(),
  email: z.string(),
  role: z.enum(role),
  status: z
    .enum(["active", "invited", "disabled"])
    .describe(
      "Invited: has neither set a password nor signed in through the OpenID provider yet. Disabled: can no longer " +
        "sign in.",
    ),
  has_password: z.boolean(),
  joined_at: timestampOutput,
  sessions: z.int().describe("Browsers in which this person is signed in at this moment."),
  last_used_at: timestampOutput.nullable().describe("When one of those was last used, to about a minute."),
  link_expires_at: timestampOutput.nullable().describe("When this person's one-time link expires."),
});

export type Member = z.infer<typeof member>;

/** A one-time link, which is shown once. */
export const passwordLink = z.object({ url: z.string(), expires_at: timestampOutput });

export type PasswordLink = z.infer<typeof passwordLink>;

/** What ended for a member. */
export const endedAccess = z.object({
  user_id: z.uuidv7(),
  sessions_ended: z.int(),
  tokens_stopped: z.int(),
  webhooks_switched_off: z.int().describe("Those whose endpoints apps had set in this person's name."),
});

export type EndedAccess = z.infer<typeof endedAccess>;
