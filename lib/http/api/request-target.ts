import { AppError } from "@/lib/errors";

/** The methods that routes may have. Next answers any other with a 400 without a body. */
export const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * The methods of pages and of the files that they load. Forms send to `/api` and `/oauth`; of what is sent to a page,
 * Next would keep up to 10 MB in memory (`proxy.ts`), and answer with the page.
 */
const METHODS_OF_PAGES: readonly string[] = ["GET", "HEAD"];

/** What is no page: handlers, which read a body within their own bounds or not at all. */
const HANDLED = /^\/(?:api|\.well-known|oauth(?!\/consent\/?$))(?:\/|$)/;

/** Parameter names that Next reserves or removes before the route, which then could not refuse them. */
const RESERVED_BY_NEXT = /^(__proto__|nextInternalLocale|nxt[PI].*)$/;

/**
 * The refusal of a request that would not reach a route unchanged, or that would be answered without a code of ours: an
 * unknown method, another than reading of a page or a file, an escape that is not UTF-8 and, in the query of an API
 * request, a parameter that Next removes.
 * `target`: path and query of the request line.
 */
export function requestTargetFault(method: string | undefined, target: string): AppError | undefined {
  const [path, query] = splitOnce(target, "?");
  const methods = isPagePath(path) ? METHODS_OF_PAGES : METHODS;
  if (!methods.includes(method ?? "")) {
    return new AppError("method_not_allowed", `${method} is not allowed.`, { headers: { allow: methods.join(", ") } });
  }
  if (!target.startsWith("/")) return new AppError("invalid_request", "The target of a request begins with a slash.");
  if (!isDecodable(path)) return badEscape("path");
  return isApiPath(path) ? queryFault(query) : undefined;
}

/** Whether a path is that of a page, or of nothing. */
export function isPagePath(path: string): boolean {
  return path.startsWith("/") && !HANDLED.test(path);
}

/** Whether a path belongs to the API, whose clients are programs. */
export function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function queryFault(query: string): AppError | undefined {
  if (!isDecodable(query)) return badEscape("query");
  const name = [...new URLSearchParams(query).keys()].find((each) => RESERVED_BY_NEXT.test(each));
  if (name === undefined) return undefined;
  const detail = `\`${name}\` is not a parameter here.`;
  return new AppError("unknown_parameter", detail, {
    errors: [{ pointer: `?${name}`, code: "unknown_parameter", detail }],
  });
}

function badEscape(where: string): AppError {
  return new AppError(
    "invalid_request",
    `A percent sign in the ${where} does not begin an escape of UTF-8. Write the sign itself as %25.`,
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
