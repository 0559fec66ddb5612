import type { z } from "zod";

import type { Context, Scope } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/input/parse-input";
import { assertStorageQuota } from "@/lib/storage-quota";

/**
 * JSON that the database has already written; it goes out as it is. `isNew` tells of a record that an upsert had to
 * create.
 */
export class JsonText {
  #bytes: Uint8Array | undefined;

  constructor(
    readonly text: string,
    readonly isNew = false,
  ) {}

  /** In UTF-8, encoded once. */
  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

/**
 * One thing that the service does, declared once. REST, OpenAPI, MCP, the reference page and server components all read
 * this value. `input` parses what the transport collected (path, query and body merged into one object); `output`
 * documents what `run` returns.
 */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  summary: string;
  /** What an access token needs: any one of these is enough. */
  scopes: readonly Scope[];
  /** Only for people who are signed in to our own pages; no access token opens it. Admins, or every member. */
  people?: "admins" | "members";
  /** Only for admins, and for clients that an admin has allowed to act for them. */
  adminsOnly?: true;
  /** It stores more: refused where the organization's storage is full. */
  stores?: true;
  /** It changes one record and checks the context's preconditions on it, once it holds the record. */
  conditional?: true;
  /** What it gives also shows what changes without a new version, so nobody can be told that it has not changed. */
  volatile?: true;
  /**
   * The collection in which what it creates has its address, where requests do not go to that collection:
   * "case_comments".
   */
  createsIn?: string;
  input: Input;
  output: Output;
  run(context: Context, input: z.output<Input>): Promise<z.input<Output> | JsonText>;
}

/** Declares an operation; it only fixes the types. */
export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

/** An operation whose scope and input have been checked. Only {@link prepare} makes one, so no check can be forgotten. */
class Prepared<Input extends z.ZodType, Output extends z.ZodType> {
  constructor(
    private readonly operation: Operation<Input, Output>,
    private readonly context: Context,
    private readonly input: z.output<Input>,
  ) {}

  /** Runs the operation within the organization of the context. Throws what the operation refuses. */
  run(): Promise<z.input<Output> | JsonText> {
    const { organizationId } = this.context;
    return inOrganization(organizationId, async () => {
      if (this.operation.stores) await assertStorageQuota(organizationId);
      return this.operation.run(this.context, this.input);
    });
  }
}

export type { Prepared };

/**
 * Checks scope and input of an operation. Throws `insufficient_scope`, `forbidden`, or `invalid_request` with a fault
 * per invalid field.
 */
export function prepare<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  context: Context,
  rawInput: unknown,
): Prepared<Input, Output> {
  assertAuthorized(operation, context);
  const input = parseInput(operation.input, rawInput, "Some of the input is not valid; see `errors`.");
  return new Prepared(operation, context, input);
}

/** Runs an operation. Throws what {@link prepare} throws, and what the operation refuses. */
export async function execute<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  context: Context,
  rawInput: unknown,
): Promise<z.input<Output> | JsonText> {
  return prepare(operation, context, rawInput).run();
}

function assertAuthorized({ people, scopes, adminsOnly }: Operation, context: Context): void {
  if (people !== undefined && context.clientId !== null) {
    throw new AppError("forbidden", "No access token opens this: it is done in the settings, by somebody signed in.");
  }
  if (people === undefined && !scopes.some((scope) => hasScope(context, scope))) {
    throw new AppError("insufficient_scope", `This needs the scope ${scopes.join(" or ")}.`);
  }
  if ((people === "admins" || adminsOnly) && context.role !== "admin") {
    throw new AppError("forbidden", "Only admins of the organization may do this.");
  }
}

/** Whether a context carries `scope`, by itself or by implication. */
export function hasScope(context: Pick<Context, "scopes">, scope: Scope): boolean {
  return context.scopes.has(scope) || (scope === "crm:read" && context.scopes.has("crm:write"));
}

/** What an operation returned, for callers that want the value and not the JSON: server components, MCP tools. */
export function valueOf<Value>(result: Value | JsonText): Value {
  return result instanceof JsonText ? (JSON.parse(result.text) as Value) : result;
}
