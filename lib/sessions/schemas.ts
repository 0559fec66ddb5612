import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";

/**
 * A sign-in of one's own as the settings show it, here and in the browser. Its cookie holds the id encrypted, so the id
 * alone opens nothing.
 */
export const ownSession = z.object({
  id: z.uuidv7(),
  browser: z.string().describe("In words, as the browser calls itself."),
  address: z.string().describe("Network address of the last use."),
  created_at: timestampOutput,
  last_used_at: timestampOutput.describe("To about a minute."),
  is_current: z.boolean().describe("Whether it is the one that asks."),
});

export type OwnSession = z.infer<typeof ownSession>;

/** A member as the settings show it, here and in the browser. */
export const member = z.object({
  user_id: z.uuidv7(),
  name: z.string(),
  email: z.string(),
  role: z.enum(["admin", "member"]),
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
  link_expires_at: timestampOutput
    .nullable()
    .describe("Until when the one-time link works that was made for this person."),
});

export type Member = z.infer<typeof member>;

/** A one-time link, as it is shown once. */
export const passwordLink = z.object({ url: z.string(), expires_at: timestampOutput });

export type PasswordLink = z.infer<typeof passwordLink>;

/** What ended for somebody. */
export const endedAccess = z.object({
  user_id: z.uuidv7(),
  sessions_ended: z.int(),
  tokens_stopped: z.int(),
  webhooks_switched_off: z.int().describe("Those whose endpoints apps had set in this person's name."),
});

export type EndedAccess = z.infer<typeof endedAccess>;
