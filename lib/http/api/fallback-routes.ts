import { AppError } from "@/lib/errors";
import { htmlPage } from "@/lib/http/pages/html-page";
import { problemResponse } from "@/lib/http/problem";
import { requestIdOf } from "@/lib/http/request";
import { didYouMean, suggest, truncateName } from "@/lib/input/suggest";
import { RESOURCES } from "@/lib/records/schema/resources";

interface Methods {
  allow: string;
  refuse(this: void, request: Request): Response;
  options(this: void): Response;
}

/**
 * The media type of a PATCH (RFC 5789 §3.1). Not `application/merge-patch+json`: that would also merge into the value
 * of a custom field (RFC 7396), which we replace as a whole.
 */
export const ACCEPT_PATCH = { "accept-patch": "application/json" };

/**
 * Handlers for OPTIONS and for the methods that a path does not have. `allow` is the value of the header: "POST,
 * OPTIONS".
 */
export function allowOnly(allow: string): Methods {
  return {
    allow,
    refuse: (request) => methodNotAllowed(request, allow),
    // Without it, Next would also list the methods whose handler only refuses them.
    options: () =>
      new Response(null, { status: 204, headers: { allow, ...(allow.includes("PATCH") && ACCEPT_PATCH) } }),
  };
}

/** Answers an unsupported method: 405 with `allow` (RFC 9110 §15.5.6). */
function methodNotAllowed(request: Request, allow: string): Response {
  const error = new AppError("method_not_allowed", `${request.method} is not allowed here; allowed are ${allow}.`);
  return problemResponse(error, requestIdOf(request), { allow });
}

/** Answers a path below `/api/v1` whose first segment is not a resource. */
export function unknownResource(request: Request, name: string): Response {
  const hint = didYouMean(suggest(name, RESOURCES), `; the records are ${RESOURCES.join(", ")}.`);
  return problemResponse(
    new AppError("not_found", `There is no \`${truncateName(name)}\` here${hint}`),
    requestIdOf(request),
  );
}

/** Answers an unknown path with a problem, since API clients cannot read a page. */
export function unknownPath(request: Request): Response {
  const { pathname } = new URL(request.url);
  return problemResponse(
    new AppError("not_found", `There is nothing at \`${pathname.slice(0, 256)}\`.`),
    requestIdOf(request),
  );
}

/** Like {@link unknownPath}, for paths that people visit too: a browser gets a page. */
export function unknownPageOrPath(request: Request): Response {
  if (!request.headers.get("accept")?.includes("text/html")) return unknownPath(request);
  const link = { href: "/", text: "Go to the start page" };
  return htmlPage({ status: 404, title: "There is no such page", paragraphs: ["The address may be mistyped."], link });
}
