import { methodNotAllowed } from "@/lib/http/refuse";

interface Methods {
  allow: string;
  refuse(this: void, request: Request): Response;
  options(this: void): Response;
}

/**
 * What a PATCH can be written in (RFC 5789 §3.1). Not `application/merge-patch+json`: that would merge into the value of a custom field as well
 * (RFC 7396), which here is replaced as a whole.
 */
export const ACCEPT_PATCH = { "accept-patch": "application/json" };

/** The handlers of the methods that a path does not have, and of OPTIONS, given the value of `allow`: "POST, OPTIONS". */
export function allowOnly(allow: string): Methods {
  return {
    allow,
    refuse: (request) => methodNotAllowed(request, allow),
    // Without it Next would also name the methods that are only there to be refused.
    options: () => new Response(null, { status: 204, headers: { allow, ...(allow.includes("PATCH") && ACCEPT_PATCH) } }),
  };
}
