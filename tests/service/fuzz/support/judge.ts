import type { Draft } from "@/tests/service/fuzz/support/draft";
import type { Problem } from "@/tests/service/fuzz/support/problem";
import { rulesBehind } from "@/tests/service/fuzz/support/rules";
import type { Answer, Wire } from "@/tests/service/fuzz/support/send";

/** What a request is meant to be: valid, invalid in one place, or anything. */
export type Intent = "right" | "wrong" | "anything";

interface Judged {
  draft: Draft;
  wire: Wire;
  answer: Answer;
  intent: Intent;
  /** A text in every record of the other organization. */
  marker: string;
}

/** The fault of an answer, or undefined. */
export function faultOf(judged: Judged): string | undefined {
  const { answer, marker } = judged;
  if (answer.status >= 500) return `the status ${answer.status}`;
  if (answer.text.includes(marker)) return "what belongs to another organization";
  return (
    formFault(judged) ?? (judged.intent === "anything" || isReplay(answer.headers) ? undefined : meantFault(judged))
  );
}

function isReplay(headers: Answer["headers"]): boolean {
  return headers["idempotent-replayed"] === "true";
}

function formFault({ draft, wire, answer }: Judged): string | undefined {
  const { status, headers, text } = answer;
  const [path = ""] = wire.target.split(/[?#]/);
  // A changed request line can address a page.
  if (!/^\/api\/v1(?:\/|$)/.test(path)) return undefined;
  if (typeof headers["x-request-id"] !== "string") return "one without a request id";
  if (wire.method === "HEAD" || WITHOUT_BODY.has(status)) return text === "" ? undefined : "a body where there is none";
  return status >= 300 && status < 400 ? redirectFault(status, path) : bodyFault(draft, answer);
}

function redirectFault(status: number, path: string): string | undefined {
  return UNTIDY.test(path) ? undefined : `the status ${status}`;
}

function bodyFault({ operation }: Draft, answer: Answer): string | undefined {
  if (answer.status >= 400) return problemFault(answer);
  const [type = ""] = String(answer.headers["content-type"]).split(";");
  if (operation.downloads.has(type)) return undefined;
  return objectIn(answer.text) === undefined ? "no JSON object" : undefined;
}

const WITHOUT_BODY = new Set([204, 304]);
/** Next redirects to the normalized address. */
const UNTIDY = /\/$|\\|\/\//;

function problemFault({ status, headers, text }: Answer): string | undefined {
  if (headers["content-type"] !== "application/problem+json") return "a refusal that is no problem";
  const problem: Partial<Problem> | undefined = objectIn(text);
  if (problem?.status !== status) return "a problem of another status";
  // A repeated request with the same key gets the first answer, with the request id of the first request.
  if (!isReplay(headers) && problem.request_id !== headers["x-request-id"]) return "a problem with another request id";
  return problem.code && problem.detail ? undefined : "a problem without code or detail";
}

function meantFault({ draft, answer, intent }: Judged): string | undefined {
  const { status, text } = answer;
  if (status === 429 && rulesBehind(draft, JSON.parse(text) as Problem).length === 0)
    return "that there were too many requests: run the service with RATE_LIMIT_PER_MINUTE=0";
  if (!isExpectedStatus(draft, status)) return `the status ${status}, which the document does not foretell`;
  if (intent === "wrong")
    return status >= 400 || hasFailure(text) ? undefined : `the status ${status} to what must be refused`;
  if (status < 400 || rulesBehind(draft, JSON.parse(text) as Problem).length > 0) return undefined;
  return `the status ${status} to what the document allows`;
}

/**
 * The server refuses what is too long to read, and `If-Match` where the document does not offer it. Neither is
 * documented.
 */
function isExpectedStatus({ operation, headers }: Draft, status: number): boolean {
  return operation.statuses.has(status) || status === 431 || (status === 412 && headers["if-match"] !== undefined);
}

/** A batch may refuse single items. */
function hasFailure(text: string): boolean {
  const { results } = (objectIn(text) ?? {}) as { results?: { status: string }[] };
  return results?.some(({ status }) => status === "failed") ?? false;
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
