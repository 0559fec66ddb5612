import { z } from "zod";

const timestamp = z.iso.datetime({ precision: 3 });

/** A sign-in of one's own as the settings show it, here and in the browser. Its cookie holds the id encrypted, so the id alone opens nothing. */
export const ownSession = z.object({
  id: z.uuidv7(),
  browser: z.string().describe("In words, as the browser calls itself."),
  address: z.string().describe("Network address of the last use."),
  created_at: timestamp,
  last_used_at: timestamp.describe("To about a minute."),
  is_current: z.boolean().describe("Whether it is the one that asks."),
});
export type OwnSession = z.infer<typeof ownSession>;
