import { type Context, SCOPES } from "@/lib/context";
import { contention, logUnavailability, unavailability } from "@/lib/unavailable";
import { AppError, type DeletionFacts } from "@/lib/errors";
import { log } from "@/lib/log";
import { mayHaveScope } from "@/lib/mcp/scope-challenge";
import { visibleText } from "@/lib/mcp/untrusted-text";

/**
 * What an assistant reads of anything thrown: a refusal as one text that says what is wrong, where, and how to mend it.
 * Any other error is logged, and not described, except that the database is unavailable.
 */
export function refusalOf(thrown: unknown, context: Context, what: string): string {
  const { requestId } = context;
  const refusal = thrown instanceof AppError ? thrown : contention(thrown);
  if (refusal) return `${sentenceOf(refusal)}${remedyOf(refusal, context)}`;
  const outage = unavailability(thrown);
  if (outage) {
    logUnavailability(outage, { request_id: requestId, what });
    return sentenceOf(outage);
  }
  log.error({ request_id: requestId, what, err: thrown }, "an MCP request failed");
  return `Something went wrong here. Quote the request id ${requestId} to the support.`;
}

/** What helps where no token of the client can have the scope: hosts are not asked to sign in again for that. */
function remedyOf({ code, message }: AppError, context: Context): string {
  const named = SCOPES.filter((scope) => message.includes(scope));
  if (code !== "insufficient_scope" || named.some((scope) => mayHaveScope(context, scope))) return "";
  return "\nThis API client was created without it; an admin can make another.";
}

/** What the REST API's sentences call otherwise than a tool. */
const NAMES: readonly [RegExp, string][] = [
  [/; see `errors`\.$/, "."],
  [/`GET (?:\/api\/v1)?\/users`/g, "`list_users`"],
  [/`POST (?:\/api\/v1)?\/cases\/\{id\}\/escalate`/g, "`escalate_case`"],
  [/`POST (?:\/api\/v1)?\/leads\/\{id\}\/convert`/g, "`convert_lead`"],
  [/, or repeat it with the same `Idempotency-Key`\.$/, "."],
  [/`q`/g, "`query`"],
  [/`per_kind`/g, "`limit`"],
  [/ In a URL the \+ of an offset is %2B\./g, ""],
  [/by a PATCH of its `ext_id`/, "with `update_record`, as its `ext_id`"],
  [/, which If-Match or If-None-Match rules out\. Get it/, ", which is not the one that you expect. Read it"],
];

/** The arguments of tools for parameters of the REST API, where their names differ. */
const ARGUMENTS = new Map([
  ["q", "query"],
  ["per_kind", "limit"],
]);

function placeOf(pointer: string): string {
  const name = pointer.replace(/^[/?]/, "");
  return ARGUMENTS.get(name) ?? (name || "input");
}

/** A sentence of the REST API in terms of tools. */
export function inTools(sentence: string): string {
  return NAMES.reduce((text, [name, ours]) => text.replace(name, ours), sentence);
}

/** What restores a deleted record: no tool does. */
function howToRestore({ restorable_until: until, is_part: isPart, belongs_to: whole }: DeletionFacts): string {
  if (isPart) return `A person can restore it with the record that it belongs to until ${until}.`;
  return `A person can restore it until ${until}${whole ? ", after the record that it belongs to" : ""}.`;
}

/** A refusal may quote what the source or a record says. */
function sentenceOf({ code, message, errors, records, retryAfter, deletion }: AppError): string {
  const told = deletion ? message.replace(/(?<= was deleted\. ).*$/, howToRestore(deletion)) : message;
  const faults = errors.map(({ pointer, detail }) => `${placeOf(pointer)}: ${inTools(detail)}`);
  const named = Object.entries(records ?? {}).map(([name, id]) => `${name}: ${id}`);
  const wait = retryAfter === undefined ? [] : [`Try again after ${retryAfter} seconds.`];
  return visibleText([`${inTools(told)} (${code})`, ...faults, ...named, ...wait].join("\n"));
}
