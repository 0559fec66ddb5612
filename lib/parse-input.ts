import { z } from "zod";

import { AppError, type Fault, MOST_FAULTS } from "@/lib/errors";
import { type Suggest, suggestions } from "@/lib/nearest";

/**
 * Parses what came from outside. Throws `invalid_request` with `detail` and a fault per invalid field; `/admin/email` points to one. Who parses many
 * inputs of one request gives `suggest`, which is bounded for all of them.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, detail: string, suggest = suggestions()): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) => faultsOf(issue, schema, suggest));
  throw new AppError("invalid_request", detail, { errors });
}

/** The names that an input takes. */
export function inputNames(input: z.ZodType): string[] {
  return input instanceof z.ZodObject ? Object.keys(input.shape) : [];
}

/** RFC 6901: `/a/0/b`, with `~` and `/` escaped. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A schema gives a fault a code of its own by `refine(…, { params: { code } })`. */
function faultsOf(issue: z.core.$ZodIssue, input: z.ZodType, suggest: Suggest): Fault[] {
  if (issue.code === "unrecognized_keys") {
    const known = issue.path.length === 0 ? inputNames(input) : [];
    const keys = issue.keys.slice(0, MOST_FAULTS);
    return keys.map((key) => ({
      pointer: pointerTo([...issue.path, key]),
      code: "unknown_field",
      detail: describeUnknown(suggest(key, known), key),
    }));
  }
  const code = issue.code === "custom" && typeof issue.params?.code === "string" ? issue.params.code : issue.code;
  return [{ pointer: pointerTo(issue.path), code, detail: issue.message }];
}

function describeUnknown(meant: string | undefined, key: string): string {
  return `\`${key}\` is not known here${meant ? `; did you mean \`${meant}\`?` : "."}`;
}
