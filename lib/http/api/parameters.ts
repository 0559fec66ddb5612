import { AppError, type Fault, MAX_FAULTS } from "@/lib/errors";
import { isSafe } from "@/lib/http/request";
import { unescapePointer } from "@/lib/input/parse-input";
import { type Suggest, boundedSuggest, didYouMean, truncateName } from "@/lib/input/suggest";

/**
 * The query of a URL: a string per name, or a list for a name that is given more than once, which no schema accepts.
 */
export type Query = Record<string, string | string[]>;

/** Names that other APIs use for our parameters: no typing errors, so {@link boundedSuggest} does not find them. */
const SYNONYMS: Record<string, string> = {
  after: "cursor",
  starting_after: "cursor",
  next: "cursor",
  next_cursor: "cursor",
  page: "cursor",
  page_token: "cursor",
  offset: "cursor",
  skip: "cursor",
  first: "limit",
  count: "limit",
  per_page: "limit",
  page_size: "limit",
  size: "limit",
  top: "limit",
  search: "q",
  query: "q",
  sort: "order",
  order_by: "order",
  direction: "order",
  select: "fields",
  embed: "expand",
  with_total: "include",
  created_after: "created_at[gt]",
  created_before: "created_at[lt]",
  updated_after: "updated_at[gt]",
  updated_since: "updated_at[gte]",
  modified_since: "updated_at[gte]",
  since: "updated_at[gte]",
  owner: "owner_id",
};

export function readQuery(url: string): Query {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const given = new Map<string, string | string[]>();
  for (const [name, value] of new URL(url).searchParams) {
    const before = given.get(name);
    if (Array.isArray(before)) before.push(value);
    else given.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(given);
}

/** Throws `unknown_parameter` if the query has any parameter. */
export function assertNoParameters(query: Query): void {
  const names = Object.keys(query);
  if (names.length === 0) return;
  const suggest = boundedSuggest();
  throw parameterError(names.slice(0, MAX_FAULTS).map((name) => unknownParameter(name, [], suggest)));
}

/**
 * Turns the faults of an operation's input into faults of the query: `?limit` for `/limit`. `known` are the names of
 * its parameters.
 */
export function toParameterError(error: AppError, query: Query, known: readonly string[]): AppError {
  const suggest = boundedSuggest();
  return parameterError(error.errors.map((fault) => toParameterFault(fault, query, known, suggest)));
}

function toParameterFault(fault: Fault, query: Query, known: readonly string[], suggest: Suggest): Fault {
  const name = nameOf(fault.pointer);
  if (!known.includes(name)) return unknownParameter(name, known, suggest);
  const value = query[name];
  if (Array.isArray(value))
    return {
      pointer: `?${name}`,
      code: "invalid_parameter",
      detail: `\`${name}\` is given ${value.length} times; send it once.`,
    };
  return {
    pointer: `?${name}`,
    code: fault.code === "invalid_cursor" ? fault.code : "invalid_parameter",
    detail: fault.detail,
  };
}

/** The first reference token of a JSON pointer (RFC 6901 §4). */
function nameOf(pointer: string): string {
  return unescapePointer(pointer.split("/")[1] ?? "");
}

function unknownParameter(name: string, known: readonly string[], suggest: Suggest): Fault {
  return {
    pointer: `?${truncateName(name)}`,
    code: "unknown_parameter",
    detail: `\`${truncateName(name)}\` is not a parameter here${hint(name, known, suggest)}`,
  };
}

function hint(name: string, known: readonly string[], suggest: Suggest): string {
  const synonym = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined;
  const meant = synonym && known.includes(synonym) ? synonym : suggest(name, known);
  const names = known.map((each) => `\`${each}\``).join(", ");
  return didYouMean(meant, names ? `. Known are ${names}.` : ". It takes none.");
}

/** One error for all faults. Its code is that of the faults where they agree. */
function parameterError(faults: Fault[]): AppError {
  const codes = new Set(faults.map((fault) => fault.code));
  const code =
    codes.size > 1
      ? "invalid_request"
      : codes.has("unknown_parameter")
        ? "unknown_parameter"
        : codes.has("invalid_cursor")
          ? "invalid_cursor"
          : "invalid_parameter";
  const detail =
    faults.length === 1 && faults[0] ? faults[0].detail : "Some of the parameters are not valid; see `errors`.";
  return new AppError(code, detail, { errors: faults });
}

/** Whether the input fields that are not in the path come in the query; otherwise they come in the body. */
export function takesQuery(method: string): boolean {
  return isSafe(method) || method === "DELETE";
}

/**
 * A parameter with the name of a path segment becomes a list, which no schema accepts, so that it is refused together
 * with all other faults.
 */
export function mergeInput(query: Query, collected: unknown): Record<string, unknown> {
  const input: Record<string, unknown> = { ...query, ...(collected as Record<string, unknown>) };
  for (const name of Object.keys(collected as object)) {
    if (Object.hasOwn(query, name)) input[name] = [query[name]];
  }
  return input;
}
