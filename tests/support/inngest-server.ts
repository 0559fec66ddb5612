import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { startHost } from "@/tests/support/hosts";

/** What an app registers at the server (`POST /fn/register`). */
interface Registration {
  url: string;
  functions: { id: string; steps: Record<string, { runtime: { url: string } }> }[];
}

/**
 * A double of a self-hosted Inngest server, by its SDK_SPEC.md §4: it accepts registrations made with the signing key,
 * and signs its requests. It shares no code with the SDK.
 */
export interface InngestServer {
  url: string;
  /** The settings with which the service runs its jobs on this server. */
  settings: Record<string, string>;
  /** In the order of arrival; only registrations with the signing key. */
  registrations: Registration[];
  /** How many registrations it answers with 503 before it accepts one. */
  refusals: number;
  /** The header that proves that a request is the server's. `body` is as sent. */
  sign(body: string, at?: Date): Record<string, string>;
}

const JSON_TYPE = { "content-type": "application/json" };
const SIGNING_KEY = createHash("sha256").update("an Inngest server").digest("hex");

/** Starts a server on this machine; `stopHosts` ends it. */
export async function startInngestServer({ refusals = 0 } = {}): Promise<InngestServer> {
  // Only the digest of the key is sent.
  const bearer = `Bearer signkey-test-${createHash("sha256").update(Buffer.from(SIGNING_KEY, "hex")).digest("hex")}`;
  const server: InngestServer = { url: "", settings: {}, registrations: [], refusals, sign };
  server.url = await startHost((request, response) => {
    void register(request).then((status) =>
      response.writeHead(status, JSON_TYPE).end(JSON.stringify({ status, modified: status === 200 })),
    );
  });

  async function register(request: IncomingMessage): Promise<number> {
    const body = await readAll(request);
    if (request.method !== "POST" || !request.url?.startsWith("/fn/register")) return 404;
    if (request.headers.authorization !== bearer) return 401;
    server.refusals -= 1;
    if (server.refusals >= 0) return 503;
    server.registrations.push(JSON.parse(body) as Registration);
    return 200;
  }

  server.settings = {
    INNGEST_BASE_URL: server.url,
    INNGEST_SIGNING_KEY: `signkey-test-${SIGNING_KEY}`,
    INNGEST_EVENT_KEY: "of-the-tests",
  };
  return server;
}

/** The HMAC of the body and the time in seconds, under the key as text (SDK_SPEC.md §4.1.3). */
function sign(body: string, at = new Date()): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const signature = createHmac("sha256", SIGNING_KEY).update(`${body}${seconds}`).digest("hex");
  return { "x-inngest-signature": `t=${seconds}&s=${signature}` };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
