import { z } from "zod";

/** How many API requests a run leaves to others. Absent: it stops only where Salesforce itself refuses. */
export const apiLimit = z
  .strictObject({
    percent: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe("The run waits when the org, with all its users, has used this share of its requests of 24 hours."),
    requests: z
      .number()
      .int()
      .min(1)
      .max(100_000_000)
      .optional()
      .describe("The run waits when it has sent this many requests in 24 hours itself."),
  })
  .optional()
  .describe("API requests that a run may use. At the limit it waits, and goes on by itself.");

export type ApiLimit = NonNullable<z.infer<typeof apiLimit>>;
