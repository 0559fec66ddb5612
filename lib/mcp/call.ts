import type { AuthInfo } from "@modelcontextprotocol/server";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import type { Tool } from "@/lib/mcp/tool";
import { TOOLS } from "@/lib/mcp/tools/all";
import { resourceIdentifier, resourceMetadataUrl } from "@/lib/oauth/protected-resources";

const PATH = "/api/mcp";

/** One request: who makes it, the tool that it calls, and what that does, which may go on after the answer. */
export interface Call {
  context: Context;
  tool: Tool | undefined;
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

/** The call of a caller with this JSON-RPC message, which the SDK has yet to check. */
export function callOf(context: Context, message: unknown): Call {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown; uri?: unknown } | null };
  assertNamed({ method, name: params?.name, uri: params?.uri });
  const tool = method === "tools/call" ? tools.get(String(params?.name)) : undefined;
  return { context, tool, work: Promise.resolve() };
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
