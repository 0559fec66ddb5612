import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { MCP_URL, serve } from "@/tests/mcp/support/connect";
import { startHost } from "@/tests/support/hosts";

/** The MCP server on a port of its own. Requests without a token get `token`, for programs that can send none. */
export async function startMcp(token: string): Promise<string> {
  const origin = await startHost((incoming, outgoing) => void answer(incoming, outgoing, token));
  return `${origin.replace("127.0.0.1", "localhost")}/api/mcp`;
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, token: string): Promise<void> {
  const headers = new Headers(incoming.headers as Record<string, string>);
  if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
  const { method = "GET" } = incoming;
  const body = await text(incoming);
  const response = await serve(new Request(MCP_URL, { method, headers, ...(body && { body }) }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
