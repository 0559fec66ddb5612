import { AppError } from "@/lib/errors";
import { problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";
import { nearest } from "@/lib/nearest";
import { RESOURCES } from "@/lib/records/resources";

/** Answers a method that a resource does not have: 405 with `allow` (RFC 9110 §15.5.6). */
export function methodNotAllowed(request: Request, allow: string): Response {
  const error = new AppError("method_not_allowed", `${request.method} is not allowed here; allowed are ${allow}.`);
  return problemResponse(error, newId(), { allow });
}

/** Answers a path below `/api/v1` whose first part is no resource. */
export function unknownResource(name: string): Response {
  const meant = nearest(name, RESOURCES);
  const hint = meant ? `did you mean \`${meant}\`?` : `the records are ${RESOURCES.join(", ")}.`;
  return problemResponse(new AppError("not_found", `There is no \`${name.slice(0, 64)}\` here; ${hint}`), newId());
}

/** Answers a path below `/api` that no route knows. */
export function unknownPath(request: Request): Response {
  const { pathname } = new URL(request.url);
  return problemResponse(new AppError("not_found", `There is nothing at \`${pathname.slice(0, 256)}\`.`), newId());
}
