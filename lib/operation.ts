import type { z } from "zod";

import type { Context, Scope } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/input/parse-input";
import { assertStorageQuota } from "@/lib/storage-quota";

/**
 * JSON written by the database, which is sent unchanged. `isNew`: an upsert created the record. `fileName`: browsers
 * store it as a file of that name. `tag`: its entity-tag, for what is no record with a version.
 */
export class JsonText {
  readonly isNew: boolean;
  readonly fileName: string | null;
  readonly tag: string | null;
  #bytes: Uint8Array | undefined;

  constructor(
    readonly text: string,
    { isNew = false, fileName = null, tag = null }: Partial<Pick<JsonText, "isNew" | "fileName" | "tag">> = {},
  ) {
    this.isNew = isNew;
    this.fileName = fileName;
    this.tag = tag;
  }

  /** The text in UTF-8, encoded once. */
  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

/** The content of a file, which is sent as it is read. */
export class Download {
  constructor(
    readonly body: ReadableStream<Uint8Array>,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** What a download of any length has: the rows of one list, or everything of an organization. */
export type ExportKind = "list" | "organization";

/**
 * An operation of the service, declared once. REST, OpenAPI, MCP, the reference page and server components all read
 * this value. `input` parses what the transport collected (path, query and body merged into one object); `output`
 * documents the result of `run`.
 */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  summary: string;
  /** The scopes; an access token needs one of them. */
  scopes: readonly Scope[];
  /** Only for people who are signed in to our own pages, not for access tokens: admins, or every member. */
  people?: "admins" | "members";
  /** Only for admins, and for clients that act for an admin. */
  adminsOnly?: true;
  /** The operation stores data, so it is refused where the organization's storage is full. */
  stores?: true;
  /** The operation changes one record, and checks the context's preconditions once the record is locked. */
  conditional?: true;
  /** The result has an entity-tag although it is no record with a version: a {@link JsonText} with a `tag`. */
  tagged?: true;
  /** The result includes data that changes without a new version, so it is never answered with 304. */
  volatile?: true;
  /** The result is a {@link Download} in place of JSON, of one of these media types. */
  downloads?: readonly string[];
  /** A download of any length: few of a kind at a time, beside the organization's other requests. */
  exports?: ExportKind;
  /** The HTTP status of a success, where it is not 200. A {@link JsonText} that is new has 201 in any case. */
  status?: 201 | 202;
  /** The collection of the created record's address, where it differs from the request's: "case_comments". */
  createsIn?: string;
  input: Input;
  output: Output;
  run(context: Context, input: z.output<Input>): Promise<z.input<Output> | JsonText | Download>;
}

/** Declares an operation. It only infers the types. */
export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

/** An operation with checked scope and input. Only {@link prepare} makes one, so no check can be forgotten. */
class Prepared<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  constructor(
    private readonly operation: Operation<Input, Output>,
    private readonly context: Context,
    private readonly input: z.output<Input>,
  ) {}

  /** Runs the operation within the organization of the context. Throws what the operation refuses. */
  run(): Promise<z.input<Output> | JsonText | Download> {
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
): Promise<z.input<Output> | JsonText | Download> {
  return prepare(operation, context, rawInput).run();
}

/** Throws `insufficient_scope` or `forbidden` where the context may not run an operation, whatever its input. */
export function assertAuthorized(
  { people, scopes, adminsOnly }: Pick<Operation, "people" | "scopes" | "adminsOnly">,
  context: Context,
): void {
  if (people !== undefined && context.clientId !== null) {
    throw new AppError("forbidden", "This is not available to access tokens. Sign in and use the settings.");
  }
  if (people === undefined && !scopes.some((scope) => hasScope(context, scope))) {
    throw new AppError("insufficient_scope", `This needs the scope ${scopes.join(" or ")}.`);
  }
  if ((people === "admins" || adminsOnly) && context.role !== "admin") {
    throw new AppError("forbidden", "Only admins of the organization may do this.");
  }
}

/** Whether `scopes`, of a context or a client, include `scope`, by itself or by implication: see `SCOPES`. */
export function hasScope({ scopes }: { scopes: ReadonlySet<string> }, scope: Scope): boolean {
  return scopes.has(scope) || (scope === "crm:read" && scopes.has("crm:write"));
}

/** The value of a result, for callers that need no JSON: server components, MCP tools. */
export function valueOf<Value>(result: Value | JsonText | Download): Value {
  if (result instanceof Download) throw new Error("A download has no value.");
  return result instanceof JsonText ? (JSON.parse(result.text) as Value) : result;
}
