import { McpServer, type ScopeChallengeHandler } from "@modelcontextprotocol/server";

import { addPrompts } from "@/lib/mcp/prompts";
import { type Call, callIn } from "@/lib/mcp/call";
import { addResources } from "@/lib/mcp/resources";
import { toolChallenge } from "@/lib/mcp/scope-challenge";
import { annotationsOf, type Tool } from "@/lib/mcp/tool";
import { toolResult } from "@/lib/mcp/tool-result";
import { inputSchema, outputSchema } from "@/lib/mcp/tool-schemas";
import { TOOLS } from "@/lib/mcp/tools/all";
import { UNTRUSTED } from "@/lib/mcp/tools/shown-record";
import { PRODUCT_NAME } from "@/lib/brand";

const INFO = { name: "customer-relationship-service", title: PRODUCT_NAME, version: "1.0.0" };

const OPTIONS = {
  instructions:
    "A customer relationship service: accounts, contacts, cases with their threads, activities, leads, " +
    "opportunities, products, and migrations from Salesforce. Begin with search or query_records; describe_object " +
    "names fields. Fields that are empty or false are left out. A change needs the `version` that you have read, " +
    `as \`expected_version\`. Cite records by their \`url\`. ${UNTRUSTED}`,
  capabilities: {
    tools: { listChanged: false },
    resources: { listChanged: false },
    prompts: { listChanged: false },
  },
  maxToolInputElements: 5000,
  // That of 2025-03-26 has batches, which are not read here.
  supportedProtocolVersions: ["2025-11-25", "2025-06-18"],
};

/**
 * A server for one request: the SDK takes one for each, and none keeps a session. For the call of a tool it has that
 * tool alone, because to register them all takes longer than most calls. Tools are the same for everybody, in the same
 * order; what a token may not do is answered when it is called.
 */
export function serverFor({ context, tool }: Call): McpServer {
  const server = new McpServer(INFO, OPTIONS);
  for (const each of tool ? [tool] : TOOLS) addTool(server, each);
  if (tool) return server;
  addResources(server, context);
  addPrompts(server);
  return server;
}

function registrationOf(tool: Tool) {
  return {
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool.input),
    outputSchema: outputSchema(tool.output),
    annotations: annotationsOf(tool),
    scopeChallenge: (({ authInfo, request }) =>
      toolChallenge(callIn(authInfo).context, tool, request.params?.arguments)) satisfies ScopeChallengeHandler,
  };
}

/** Made once for the process. */
const registrations = new Map(TOOLS.map((tool) => [tool, registrationOf(tool)]));

function addTool(server: McpServer, tool: Tool): void {
  server.registerTool(tool.name, registrations.get(tool) ?? registrationOf(tool), async (input, { http }) => {
    const call = callIn(http?.authInfo);
    const work = call.refusal ? Promise.reject(call.refusal) : tool.run(call.context, input);
    call.work = work;
    return toolResult(tool, call.context, work);
  });
}
