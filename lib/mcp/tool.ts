import type { z } from "zod";

import type { Context, Scope } from "@/lib/context";

/**
 * What a tool does, from which its annotations follow (MCP 2026-07-28, Tools, "ToolAnnotations"): `reads` changes
 * nothing, `adds` only adds, `changes` overwrites, `deletes` removes.
 */
type Effect = "reads" | "adds" | "changes" | "deletes";

/** A tool of the MCP server. It runs operations, which check scopes, roles and input as they do for REST. */
export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  /** A token needs one of them. The first one is asked for when it has none. */
  scopes: readonly [Scope, ...Scope[]];
  /** The tool reads the kinds of record in `object` or `objects`; a token needs a scope for each of them as well. */
  readsKinds?: true;
  effect: Effect;
  /** Whether a repeat changes nothing more. */
  idempotent: boolean;
  /** Whether it reaches a Salesforce org. */
  openWorld?: true;
  input: Input;
  output: Output;
  run(context: Context, input: z.output<Input>): Promise<z.input<Output>>;
}

/** Declares a tool. It only infers the types. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool;
}

export function annotationsOf({ effect, idempotent, openWorld }: Tool) {
  return {
    readOnlyHint: effect === "reads",
    destructiveHint: effect === "changes" || effect === "deletes",
    idempotentHint: idempotent,
    openWorldHint: openWorld ?? false,
  };
}
