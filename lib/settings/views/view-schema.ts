import { z } from "zod";

import { hasInvisibleCharacters, INVISIBLE_FAULT } from "@/lib/input/invisible-characters";

const MAX_VIEWS = 50;

const NAME_FAULT = "A name has 1 to 60 characters.";

/** A list as a person has named it: the query of its page's address, with filters, words, order and columns. */
const savedView = z.strictObject({
  name: z.string(NAME_FAULT).trim().min(1, NAME_FAULT).max(60, NAME_FAULT),
  query: z
    .string()
    .max(4_000, "At most 4,000 characters.")
    .regex(/^[\x21-\x7e]*$/, "Write the query of an address, percent-encoded and without the question mark."),
  is_shared: z.boolean().describe("Whether everybody in the organization has it in their lists."),
});

/** The views of a person, as they are put. */
export const givenViews = z
  .array(
    savedView.extend({
      // Others read it in their lists.
      name: savedView.shape.name.refine((name) => !hasInvisibleCharacters(name), INVISIBLE_FAULT),
    }),
  )
  .max(MAX_VIEWS, `At most ${MAX_VIEWS} views of a kind of records can be saved. Delete one that you need no more.`)
  .refine(
    (views) => new Set(views.map(({ name }) => name)).size === views.length,
    "Two views have the same name. Give one of them another name.",
  );

export const savedViews = z.object({
  own: z.array(savedView).describe("Your own, by name."),
  shared: z.array(savedView.extend({ owner_name: z.string() })).describe("Those that others share, by name."),
});

export type SavedView = z.infer<typeof savedView>;

export type SavedViews = z.infer<typeof savedViews>;
