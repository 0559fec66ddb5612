import type { Context } from "@/lib/context";
import { MCP_URL, serve } from "@/tests/mcp/support/connect";
import { createAccessToken } from "@/tests/support/factories";

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** One request of the revision 2025-11-25, which needs no session, with the token of a context. */
export async function post(
  context: Context | null,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return postBody(context, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), headers);
}

/** As {@link post}, with a body as it is. */
export async function postBody(
  context: Context | null,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const token = context && (await createAccessToken(context));
  const authorization = token && { authorization: `Bearer ${token}` };
  return serve(new Request(MCP_URL, { method: "POST", headers: { ...HEADERS, ...authorization, ...headers }, body }));
}

/** The message of an answer: a body of JSON, or the one event of a stream. */
export async function messageOf(response: Response): Promise<{ result: Record<string, never> }> {
  const text = await response.text();
  return JSON.parse(text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "")) as {
    result: Record<string, never>;
  };
}

export interface Called {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

/** Calls a tool, and returns its result. */
export async function callTool(context: Context, name: string, args: object) {
  const response = await post(context, "tools/call", { name, arguments: args });
  const result = (await messageOf(response)).result as unknown as Called;
  return { ...result, text: result.content[0]?.text ?? "" };
}
