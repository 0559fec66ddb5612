import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach } from "vitest";

import { type ClientOptions, openClient, type SalesforceClient } from "@/lib/salesforce/client";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A host that answers as `answer` says, until the end of the test. Gives its origin. */
export async function startHost(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client that does not wait long between its tries. */
export function clientOf(instanceUrl: string, options: Partial<ClientOptions> = {}): SalesforceClient {
  return openClient({ instanceUrl, accessToken: "00D!first", apiVersion: "67.0", retry: { retries: 3, backoffMs: 1 }, ...options });
}

/** The answer of a query with these records. */
export function pageOf(records: unknown[], more: object = {}): string {
  return JSON.stringify({ totalSize: records.length, done: true, records, ...more });
}

export function refusal(errorCode: string, message = "Refused."): string {
  return JSON.stringify([{ errorCode, message }]);
}
