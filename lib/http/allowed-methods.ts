import { methodNotAllowed } from "@/lib/http/refuse";

interface Methods {
  allow: string;
  refuse(this: void, request: Request): Response;
  options(this: void): Response;
}

/** The handlers of the methods that a path does not have, and of OPTIONS, given the value of `allow`: "POST, OPTIONS". */
export function allowOnly(allow: string): Methods {
  return {
    allow,
    refuse: (request) => methodNotAllowed(request, allow),
    // Without it Next would also name the methods that are only there to be refused.
    options: () => new Response(null, { status: 204, headers: { allow } }),
  };
}
