import type { ErrorCode } from "@/lib/errors";
import type { Operation } from "@/lib/operation";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One method of one path below `/api/v1`, and the operation behind it. */
export interface Route {
  method: Method;
  /** `{name}` stands for the input field of that name. */
  path: string;
  operation: Operation;
  /** The statuses of a success; the first is the usual one. */
  statuses: readonly [number, ...number[]];
  /** The problems that only this operation has; `route-errors.ts` adds those that follow from method and path. */
  refuses: readonly ErrorCode[];
  /** Headers that only the success of this operation has. */
  headers: readonly string[];
}

interface More {
  statuses?: readonly [number, ...number[]];
  refuses?: readonly ErrorCode[];
  headers?: readonly string[];
}

function declare(method: Method) {
  // The table treats operations of all input and output types alike.
  return (
    path: string,
    operation: { name: string; status?: number },
    { statuses = [operation.status ?? 200], refuses = [], headers = [] }: More = {},
  ): Route => ({
    method,
    path,
    operation: operation as Operation,
    statuses,
    refuses,
    headers,
  });
}

export const get = declare("GET");

export const post = declare("POST");

export const put = declare("PUT");

export const patch = declare("PATCH");

export const remove = declare("DELETE");

/** The names of the fields in a path. */
export function pathNames({ path }: Pick<Route, "path">): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
