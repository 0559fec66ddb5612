import { z } from "zod";

/** More than any org has people who own records. */
const MAX_CHOSEN = 10_000;

/** An id or, so that a refusal can name the id, what somebody took for one. */
const memberId = z.string().min(1).max(320);

/** Who owns what users and queues of the Salesforce org own there. */
export const owners = z.strictObject({
  by_email: z
    .boolean()
    .default(true)
    .describe("Whether a user of the org is the member with the same e-mail address, unless another one is chosen."),
  members: z
    .record(z.string().min(1).max(64), memberId.nullable())
    .refine((chosen) => Object.keys(chosen).length <= MAX_CHOSEN, `At most ${MAX_CHOSEN} users and queues.`)
    .default({})
    .describe("Id of a user (005…) or queue (00G…) of the org → id of a member; null: nobody."),
  fallback: memberId
    .nullable()
    .default(null)
    .describe("The member who owns what would have no owner. Comments keep the name of their author instead."),
});

export type Owners = z.infer<typeof owners>;

export const NO_CHOICES: Owners = { by_email: true, members: {}, fallback: null };
