import { z } from "zod";

const fault = z.object({ pointer: z.string(), code: z.string(), detail: z.string() });
export type Fault = z.infer<typeof fault>;

/** RFC 9457, as `lib/http/problem.ts` writes it. */
const problemBody = z.object({
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string().optional(),
  errors: z.array(fault).default([]),
});

/** A refusal of the API: `title` names it, `message` says cause and remedy, `errors` point at single fields. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly title: string,
    detail: string,
    readonly status: number,
    readonly code: string,
    readonly errors: Fault[] = [],
    readonly requestId: string | null = null,
  ) {
    super(detail);
  }
}

/** Reads an unsuccessful response. A body that is no problem document becomes a general sentence. */
export async function readProblem(response: Response): Promise<Problem> {
  const parsed = problemBody.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    return new Problem(
      "Unexpected answer",
      `The service answered with status ${response.status}. Try again in a moment.`,
      response.status,
      "unexpected",
    );
  }
  const { title, detail, status, code, errors, request_id } = parsed.data;
  return new Problem(title, detail, status, code, errors, request_id ?? null);
}

/** Any thrown value as a problem that can be shown to the reader. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(
    "Something went wrong in this page",
    "Reload the page. If it happens again, tell whoever runs this service what you were doing.",
    0,
    "page_error",
  );
}

/**
 * The faults of a refusal by the field of the form that each is about. Null when one of them is about none of `fields`,
 * so that the whole refusal is shown instead. `fieldAt` reads a JSON pointer; it may give a field within one, such as
 * "redirect_uris.0.uri".
 */
export function faultsByField(
  error: unknown,
  fields: readonly string[],
  fieldAt: (pointer: string) => string = firstSegment,
): Record<string, string> | null {
  if (!(error instanceof Problem) || error.errors.length === 0) return null;
  const faults = error.errors.map(({ pointer, detail }) => [fieldAt(pointer), detail] as const);
  const areKnown = faults.every(([field]) => fields.includes(field.split(".")[0] ?? ""));
  return areKnown ? Object.fromEntries(faults) : null;
}

function firstSegment(pointer: string): string {
  return pointer.split("/")[1] ?? "";
}
