import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { control } from "../control/routes";
import { requestedObject } from "../faults/requested-object";
import type { TriggeredFault } from "../faults/fault-rules";
import { answer } from "./answer";
import type { Call, Reply } from "./call";
import type { SandboxOrg } from "./sandbox-org";
import { encode, send } from "./send";

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://org");
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  return { method: request.method ?? "GET", path: pathname, search: searchParams, headers, body: await read(request) };
}

function limitHeader(org: SandboxOrg): Record<string, string> {
  return { "Sforce-Limit-Info": `api-usage=${org.stats.apiCalls}/${org.options.dailyLimit}` };
}

/** Sends the headers and half the body of the ordinary answer, then closes the connection. */
function truncate(response: ServerResponse, reply: Reply): void {
  const body = reply.chunks === undefined ? encode(reply).bytes : Buffer.from([...reply.chunks].join(""));
  response.writeHead(reply.status, {
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
    ...reply.headers,
  });
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy());
}

/** Carries out a fault of the connection. Returns false when the fault is of another kind. */
function breakConnection(org: SandboxOrg, call: Call, response: ServerResponse, fault: TriggeredFault): boolean {
  switch (fault.rule.action) {
    case "hang":
      return true;
    case "reset":
      response.socket?.resetAndDestroy();
      return true;
    case "truncate":
      truncate(response, fault.reply ?? answer(org, call));
      return true;
    case "fail-job":
    case undefined:
      return false;
  }
}

async function respond(org: SandboxOrg, call: Call, response: ServerResponse): Promise<void> {
  const isApi = call.path.startsWith("/services/data/v");
  if (isApi) org.stats.apiCalls += 1;
  const fault = org.faults.trigger(call, (one) => requestedObject(org, one));
  if (fault?.rule.delayMs !== undefined) await sleep(fault.rule.delayMs);
  if (fault && breakConnection(org, call, response, fault)) return;
  const reply = fault?.reply ?? answer(org, call, jobFailureOf(fault));
  org.stats.addBytesSent(await send(response, reply, isApi ? limitHeader(org) : {}));
}

function jobFailureOf(fault: TriggeredFault | null): string | null {
  if (fault?.rule.action !== "fail-job") return null;
  return typeof fault.rule.body === "string" ? fault.rule.body : "Retried more than fifteen times";
}

async function handle(org: SandboxOrg, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await callOf(request);
  if (call.path.startsWith("/__control/")) {
    await send(response, control(org, call), {});
    return;
  }
  org.stats.count(call.method, call.path);
  await respond(org, call, response);
}

/** Listens on loopback only. Sets the org's instance URL before it resolves. */
export async function listen(org: SandboxOrg): Promise<Server> {
  const server = createServer((request, response) => {
    handle(org, request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(500, { "Content-Type": "application/json" })
          .end('[{"message":"An unexpected error occurred.","errorCode":"UNKNOWN_EXCEPTION"}]');
    });
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(org.options.port, "127.0.0.1", resolve);
  });
  org.instanceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return server;
}
