import type { ErrorCode } from "@/lib/errors";
import type { Operation } from "@/lib/operation";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One method of one path below `/api/v1`, and the operation that answers it. */
export interface Route {
  method: Method;
  /** `{name}` stands for the field of that name of the operation's input. */
  path: string;
  operation: Operation;
  /** Of answers that are no problem; the first is the usual one. */
  statuses: readonly [number, ...number[]];
  /** The problems that only this operation has; those that follow from method and path are added by `refusals.ts`. */
  refuses: readonly ErrorCode[];
}

interface More {
  statuses?: readonly [number, ...number[]];
  refuses?: readonly ErrorCode[];
}

function declare(method: Method) {
  // Operations differ in what they take and give; the table treats all alike.
  return (path: string, operation: { name: string }, { statuses = [200], refuses = [] }: More = {}): Route => ({
    method,
    path,
    operation: operation as Operation,
    statuses,
    refuses,
  });
}

export const get = declare("GET");

export const post = declare("POST");

export const put = declare("PUT");

export const patch = declare("PATCH");

export const remove = declare("DELETE");

/** The names that stand in a path. */
export function pathNames({ path }: Pick<Route, "path">): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
