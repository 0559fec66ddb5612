import { inspect } from "node:util";

/** A broken promise, with the request that broke it as it can be sent again. */
export function fault(what: string, request: object): Error {
  return new Error(`The answer is ${what}: ${inspect(request, { depth: 4, maxStringLength: 2000, breakLength: 160 })}`);
}
