import { z } from "zod";

import type { Context, Scope } from "@/lib/context";
import { hasScope } from "@/lib/context";
import { AppError, type Fault } from "@/lib/errors";
import { nearest } from "@/lib/nearest";

/** JSON that the database has already written; it goes out as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/**
 * One thing that the service does, declared once. REST, OpenAPI, MCP, the reference page and server components all read this value.
 * `input` parses what the transport collected (path, query and body merged into one object); `output` documents what `run` returns.
 */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  summary: string;
  /** Any one of these is enough. */
  scopes: readonly Scope[];
  input: Input;
  output: Output;
  run(context: Context, input: z.output<Input>): Promise<z.input<Output> | JsonText>;
}

/** Declares an operation; it only fixes the types. */
export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(operation: Operation<Input, Output>): Operation<Input, Output> {
  return operation;
}

/**
 * Runs an operation: checks scope, parses the input, calls `run`. The one way in, so neither check can be forgotten.
 * Throws `insufficient_scope`, or `invalid_request` with a fault per invalid field.
 */
export async function execute<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  context: Context,
  rawInput: unknown,
): Promise<z.input<Output> | JsonText> {
  if (!operation.scopes.some((scope) => hasScope(context, scope))) {
    throw new AppError("insufficient_scope", `This needs the scope ${operation.scopes.join(" or ")}.`);
  }
  const parsed = operation.input.safeParse(rawInput);
  if (!parsed.success) {
    const errors = parsed.error.issues.flatMap((issue) => faultsOf(issue, operation.input));
    throw new AppError("invalid_request", "Some of the input is not valid; see `errors`.", { errors });
  }
  return operation.run(context, parsed.data);
}

/** What an operation returned, for callers that want the value and not the JSON: server components, MCP tools. */
export function valueOf<Value>(result: Value | JsonText): Value {
  return result instanceof JsonText ? (JSON.parse(result.text) as Value) : result;
}

/** The names that an operation takes. */
export function inputNames(input: z.ZodType): string[] {
  return input instanceof z.ZodObject ? Object.keys(input.shape) : [];
}

/** A schema gives a fault a code of its own by `refine(…, { params: { code } })`. */
function faultsOf(issue: z.core.$ZodIssue, input: z.ZodType): Fault[] {
  if (issue.code === "unrecognized_keys") {
    const known = issue.path.length === 0 ? inputNames(input) : [];
    return issue.keys.map((key) => ({ pointer: pointerTo([...issue.path, key]), code: "unknown_field", detail: describeUnknown(key, known) }));
  }
  const code = issue.code === "custom" && typeof issue.params?.code === "string" ? issue.params.code : issue.code;
  return [{ pointer: pointerTo(issue.path), code, detail: issue.message }];
}

function describeUnknown(key: string, known: string[]): string {
  const meant = nearest(key, known);
  return `\`${key}\` is not known here${meant ? `; did you mean \`${meant}\`?` : "."}`;
}

/** RFC 6901: `/a/0/b`, with `~` and `/` escaped. */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
