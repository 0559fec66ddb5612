import { z } from "zod";

export const recordFile = z.object({
  id: z.string(),
  record_id: z.string(),
  name: z.string(),
  content_type: z.string().nullable(),
  size: z.number(),
});

/** A file that a migration copied with its record. */
export type RecordFile = z.infer<typeof recordFile>;
