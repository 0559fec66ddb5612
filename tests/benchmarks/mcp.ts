import type { PlannedRequest } from "@/tests/benchmarks/api/exchange";
import { A_RECORD } from "@/tests/benchmarks/api/read-routes";
import { withOwnService } from "@/tests/benchmarks/api/own-service";
import { compareSpeeds, describe, measureInTurn, type Result } from "@/tests/benchmarks/api/rounds";
import { seedOpportunities } from "@/tests/benchmarks/api/seed-opportunities";
import { createTenants, type Tenant } from "@/tests/benchmarks/api/tenants";
import type { Measurement } from "@/tests/benchmarks/measurement";

const TENANTS = 20;
const PLAN = { connections: 16, seconds: 4, rounds: 9 };

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "benchmark", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const QUERY = { name: "query_records", arguments: { object: "opportunities", limit: 20 } };

/** What a client of each revision sends for the call. */
const REVISIONS = {
  "2025-11-25": { headers: {}, params: QUERY },
  "2026-07-28": {
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": QUERY.name },
    params: { ...QUERY, _meta: META },
  },
};

function listRequest({ token }: Tenant): PlannedRequest {
  return { method: "GET", path: "/api/v1/opportunities?limit=20", token };
}

function callRequest({ token }: Tenant, { headers, params }: (typeof REVISIONS)[keyof typeof REVISIONS]) {
  return {
    method: "POST" as const,
    path: "/api/mcp",
    token,
    headers: { accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  };
}

/** The same 20 opportunities, of so many, by the MCP server of the built service and by its REST API, over HTTP. */
export async function run(records: number): Promise<Measurement[]> {
  return withOwnService("npm run bench", async (service) => {
    const tenants = await createTenants(service, TENANTS);
    await seedOpportunities(
      tenants,
      tenants.map(() => Math.ceil(records / TENANTS)),
    );
    const calls = Object.entries(REVISIONS).map(([name, revision]) => ({
      name: `query_records of 20, revision ${name}`,
      requests: tenants.map((tenant) => callRequest(tenant, revision)),
      contains: A_RECORD,
    }));
    const floor = { name: "REST list of 20", requests: tenants.map(listRequest), contains: A_RECORD };
    const routes = [floor, ...calls];
    const [list, ...called] = (await measureInTurn(routes, { origin: service.baseUrl, ...PLAN })) as [
      Result,
      ...Result[],
    ];
    return [
      ...[list, ...called].flatMap((result) => describe(result)),
      ...called.map((call) => compareSpeeds(call, list)),
    ];
  });
}
