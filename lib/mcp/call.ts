import type { AuthInfo } from "@modelcontextprotocol/server";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { isObject } from "@/lib/input/bounded-json";
import type { Tool } from "@/lib/mcp/tool";
import { TOOLS } from "@/lib/mcp/tools/all";
import { resourceIdentifier, resourceMetadataUrl } from "@/lib/oauth/protected-resources";

const PATH = "/api/mcp";

/**
 * One request: who makes it, the tool that it calls, why its arguments are refused, and what the tool does, which may
 * go on after the answer.
 */
export interface Call {
  context: Context;
  tool: Tool | undefined;
  refusal?: AppError | undefined;
  work: Promise<unknown>;
}

const tools = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** No name and no address of ours is longer. The SDK repeats the ones that it does not know. */
const MAX_NAME = 500;

function assertNamed(names: Record<string, unknown>): void {
  for (const [what, given] of Object.entries(names))
    if (typeof given === "string" && given.length > MAX_NAME)
      throw new AppError("invalid_request", `\`${what}\` has more than ${MAX_NAME} characters; nothing is called so.`);
}

interface Message {
  method?: unknown;
  params?: { name?: unknown; uri?: unknown } | null;
}

/**
 * The call of a caller with this JSON-RPC message, which the SDK has yet to check, and what the REST API would refuse
 * of it. An assistant reads a refusal of its arguments as the tool's result; any other is thrown.
 */
export function callOf(context: Context, message: unknown, refusal?: AppError): Call {
  if (!isObject(message)) throw new AppError("invalid_request", "The body must be one JSON-RPC message: `{…}`.");
  const { method, params } = message as Message;
  const name = params?.name;
  assertNamed({ method, name, uri: params?.uri });
  const tool = method === "tools/call" && typeof name === "string" ? tools.get(name) : undefined;
  if (refusal && !(tool && isOfArguments(refusal))) throw refusal;
  return { context, tool, refusal: refusal && inTermsOfArguments(refusal), work: Promise.resolve() };
}

const ARGUMENTS = "/params/arguments";

/** Nesting that is too deep is refused before the SDK goes through it. */
function isOfArguments({ errors }: AppError): boolean {
  return errors.every(({ pointer, code }) => pointer.startsWith(`${ARGUMENTS}/`) && code !== "too_deep");
}

function inTermsOfArguments({ code, errors: faults }: AppError): AppError {
  const errors = faults.map((fault) => ({ ...fault, pointer: fault.pointer.slice(ARGUMENTS.length) }));
  return new AppError(code, "The arguments cannot be read as they are meant.", { errors });
}

/** What the SDK needs of the caller, with the call for {@link callIn}. The token stays with us. */
export function authInfoOf(call: Call): AuthInfo {
  return {
    token: "",
    clientId: call.context.clientId ?? "",
    scopes: [...call.context.scopes],
    resource: new URL(resourceIdentifier(PATH)),
    resourceMetadataUrl: resourceMetadataUrl(PATH),
    extra: { call },
  };
}

/** The call that the SDK passes on. */
export function callIn(auth: AuthInfo | undefined): Call {
  const call = auth?.extra?.call;
  if (!call) throw new Error("An MCP request was served without a caller.");
  return call as Call;
}
