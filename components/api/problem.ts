import type { DeletionFacts, Fault } from "@/lib/errors";
import type { ResourceName } from "@/lib/records/schema/resources";

/** RFC 9457, as `lib/http/problem.ts` writes it. */
interface ProblemBody {
  title: string;
  detail: string;
  code: string;
  request_id?: string | null;
  errors?: Fault[];
  /** What is known of the deletion of the requested record. */
  deletion?: Deletion;
  /** Ids of records to go on with, by what each is: `account_id`. */
  records?: Record<string, string>;
}

/** What is known of a deleted record that can still be restored. */
export type Deletion = Omit<DeletionFacts, "belongs_to"> & {
  belongs_to: { resource: ResourceName; id: string } | null;
};

/** A refusal of the API: `title` names it, `message` says cause and remedy, `errors` point at single fields. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly title: string;
  /** The HTTP status; 0 if the service did not answer. */
  readonly status: number;
  readonly code: string;
  readonly errors: readonly Fault[];
  readonly requestId: string | null;
  readonly deletion: Deletion | null;
  readonly records: Readonly<Record<string, string>>;

  constructor({ status = 0, ...body }: ProblemBody & { status?: number }) {
    super(body.detail);
    this.title = body.title;
    this.status = status;
    this.code = body.code;
    this.errors = body.errors ?? [];
    this.requestId = body.request_id ?? null;
    this.deletion = body.deletion ?? null;
    this.records = body.records ?? {};
  }
}

/** What the API says of access tokens, versions and keys, in words for people, who know of none. */
const REWORDED: Partial<Record<string, { title?: string; detail: string }>> = {
  unauthenticated: {
    title: "Your session has ended",
    detail: "Sign in again, then repeat what you did.",
  },
  service_unavailable: {
    detail:
      "The service cannot use its database at the moment. Wait a few seconds, look whether your change was made, and " +
      "try again.",
  },
  precondition_failed: {
    title: "This was changed meanwhile",
    detail: "Somebody has changed it, so nothing was done. Look at how it is now, then try again.",
  },
  idempotency_key_in_use: { detail: "What you have sent is being done. Try again in a few seconds." },
  // The service ended after it had done what a page sends again.
  idempotency_key_reused: {
    title: "This was done already",
    detail: "This was done, but its answer was lost. Look at what has become of it before you send it again.",
  },
};

/** Reads an unsuccessful response. A body that is no problem document becomes a general sentence. */
export async function readProblem(response: Response): Promise<Problem> {
  const { status } = response;
  const body = (await response.json().catch(() => null)) as Partial<ProblemBody> | null;
  if (isProblem(body)) return new Problem({ ...body, detail: detailOf(body), ...REWORDED[body.code], status });
  const detail = `The service answered with status ${status}. Try again in a moment.`;
  return new Problem({ title: "Unexpected answer", detail, status, code: "unexpected" });
}

/** Names what only clients of the API read. */
const SEE_ERRORS = /; see `errors`\.$/;

/** The detail without a pointer to `errors`, which pages list below it. The only one of them says all. */
function detailOf({ detail, errors }: ProblemBody): string {
  const only = errors?.length === 1 ? errors[0] : undefined;
  return only && SEE_ERRORS.test(detail) ? only.detail : detail.replace(SEE_ERRORS, ".");
}

/** What stands between us and the service may answer in its place, with a JSON of its own. */
function isProblem(body: Partial<ProblemBody> | null): body is ProblemBody {
  return [body?.title, body?.detail, body?.code].every((text) => typeof text === "string");
}

/** Whether somebody has changed a thing since the reader saw the version that a request has named. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Problem && error.code === "precondition_failed";
}

/** Whether the same request may succeed a little later: nothing was judged, or too much was asked at once. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return error.code === "network" || error.code === "timeout" || error.status === 429 || error.status >= 500;
}

/** Any thrown value as a problem that can be shown to the reader. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({
    title: "Something went wrong in this page",
    detail: "Reload the page. If it happens again, tell whoever runs this service what you were doing.",
    code: "page_error",
  });
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
