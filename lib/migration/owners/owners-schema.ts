import { z } from "zod";

/** More than any org has people who own records. */
export const MAX_CHOSEN = 10_000;

/** An id or, so that a refusal can name the id, what somebody took for one. */
const memberId = z.string().min(1).max(320);

/** Who owns what users and queues of the Salesforce org own there. */
export const owners = z.strictObject({
  by_email: z
    .boolean()
    .default(true)
    .describe(
      "Whether a user of the org is the member with the same e-mail address, unless another one is chosen. The " +
        "`.invalid` that a sandbox appends to addresses does not count.",
    ),
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

/** The answer has those who own most. */
export const MAX_LISTED = 5000;

const owner = z.object({
  id: z.string().describe("The id of the user (005…) or queue (00G…) in Salesforce."),
  kind: z.enum(["user", "queue"]),
  name: z.string().nullable().describe("null: the Salesforce user may not see it."),
  email: z.string().nullable(),
  is_active: z.boolean().nullable(),
  records: z.int().describe("Records of the selected objects that it owns."),
  comments: z.int().describe("Case comments that it wrote."),
  rule: z
    .enum(["chosen", "email", "fallback", "nobody"])
    .describe(
      "Why its records get their owner: chosen in the configuration, the same e-mail address, or the fallback.",
    ),
  user: z
    .object({ id: z.uuid(), name: z.string(), email: z.string(), is_disabled: z.boolean() })
    .nullable()
    .describe("The member who will own its records; null: nobody."),
});

/** The users and queues of the org that own something, and whom each becomes. */
export const sourceOwners = z.object({
  data: z.array(owner),
  more: z.int().describe(`How many there are beyond the ${MAX_LISTED} that are listed.`),
  not_listed_because: z.string().nullable().describe("Why none is listed; null if the Salesforce org answered."),
});
export type SourceOwners = z.infer<typeof sourceOwners>;

export type ListedOwner = z.infer<typeof owner>;
