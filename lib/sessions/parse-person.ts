import type { z } from "zod";

import { AppError } from "@/lib/errors";

/** Parses what somebody entered. Throws `invalid_request` with a sentence per field ("/admin/email"). */
export function parsePerson<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_request", "Some fields need another look.", {
    errors: parsed.error.issues.map((issue) => ({ pointer: `/${issue.path.join("/")}`, code: "invalid", detail: issue.message })),
  });
}
