import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import * as route from "@/app/api/mcp/route";
import type { Context } from "@/lib/context";
import { createAccessToken } from "@/tests/support/factories";

export const MCP_URL = "http://localhost:3000/api/mcp";

/** Answers a request as Next does, by the handler of its method. */
export async function serve(request: Request): Promise<Response> {
  const handlers = route as unknown as Record<string, (request: Request) => Response | Promise<Response>>;
  const handler = handlers[request.method];
  if (!handler) throw new Error(`No handler answers ${request.method}.`);
  return handler(request);
}

/**
 * The unmodified client of the SDK, whose requests reach the server in this process. It has read the tools, so it holds
 * every result to its schema.
 */
export async function connect(context: Context): Promise<Client> {
  const token = await createAccessToken(context);
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(MCP_URL), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => serve(new Request(url, init)),
  });
  await client.connect(transport);
  await client.listTools();
  return client;
}
