import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { installDebianPackage } from "@/scripts/test/debian-package";
import { stopRequest } from "@/scripts/service/stop-request";
import type { PlannedRequest } from "@/tests/benchmarks/api/exchange";

/** Requests to send one after the other, again and again, over a number of connections. */
export interface Order {
  /** Such as "http://localhost:3000". */
  origin: string;
  connections: number;
  /** A whole number. */
  seconds: number;
  requests: readonly PlannedRequest[];
  /** The status of each answer, if it is not any of success. */
  status?: number;
  /** What each answer contains: an empty list is no success, nor is an error of MCP. */
  contains?: string;
}

/** The figures of the requests that were completed in time. */
export interface Round {
  requestsPerSecond: number;
  /** Latency percentiles in milliseconds. */
  p50: number;
  p95: number;
  p99: number;
}

/** The script's last output. Times are in microseconds. */
interface Report {
  requests: number;
  duration: number;
  percentiles: [number, number, number];
  refused: number;
  lost: number;
  /** The first unsuccessful answer. */
  refusal: string;
}

/**
 * Generates load with wrk, which is well known, and uses little of the two cores that it shares with the service.
 * Throws if a request failed, because fast refusals must not count as speed.
 */
export async function repeat({ origin, connections, seconds, ...expected }: Order): Promise<Round> {
  if (!existsSync("/usr/bin/wrk"))
    await installDebianPackage("wrk", "The benchmarks of the API need the load generator wrk.", stopRequest());
  const folder = await mkdtemp(join(tmpdir(), "crm-wrk-"));
  try {
    const script = join(folder, "requests.lua");
    await writeFile(script, scriptOf(new URL(origin).host, expected));
    const args = [
      "--threads",
      "1",
      "--connections",
      String(connections),
      "--duration",
      String(seconds),
      "--timeout",
      "60",
      "--script",
      script,
      origin,
    ];
    const { stdout } = await promisify(execFile)("wrk", args);
    return roundOf(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Report);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function roundOf({ requests, duration, percentiles, refused, lost, refusal }: Report): Round {
  if (requests === 0) throw new Error("No request came to an end in time.");
  if (refused + lost > 0)
    throw new Error(`${refused} requests were refused and ${lost} lost; the first answer: ${refusal}`);
  const [p50, p95, p99] = percentiles.map((microseconds) => microseconds / 1000) as [number, number, number];
  return { requestsPerSecond: requests / (duration / 1e6), p50, p95, p99 };
}

/**
 * The Lua script for wrk's only thread. `setup` runs in another one and keeps that thread, to read its variables
 * afterwards.
 */
function scriptOf(
  host: string,
  { requests, status, contains }: Pick<Order, "requests" | "status" | "contains">,
): string {
  const isOther = status === undefined ? "status < 200 or status > 299" : `status ~= ${status}`;
  const isRefusal =
    contains === undefined ? isOther : `${isOther} or not string.find(body, ${quote(contains)}, 1, true)`;
  return `
local requests = { ${requests.map((request) => quote(rawRequest(host, request))).join(",\n")} }
local last = 0
function request()
  last = last % #requests + 1
  return requests[last]
end

refusal = ""
refused = 0
function response(status, headers, body)
  if ${isRefusal} then
    refused = refused + 1
    if refusal == "" then refusal = status .. " " .. body end
  end
end

local thread
function setup(it) thread = it end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"duration":%d,"percentiles":[%d,%d,%d],"refused":%d,"lost":%d,"refusal":"%s"}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(95), latency:percentile(99),
    thread:get("refused"), errors.connect + errors.read + errors.write + errors.timeout,
    thread:get("refusal"):sub(1, 500):gsub('[%c"\\\\]', " ")
  ))
end
`;
}

function rawRequest(host: string, { method, path, token, headers = {}, body }: PlannedRequest): string {
  const all = {
    host,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    ...headers,
  };
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

const escapeByte = (byte: number): string => `\\${String(byte).padStart(3, "0")}`;

/** A Lua string, with decimal byte escapes. */
function quote(text: string): string {
  return `"${text.replaceAll(/[^ !#-[\]-~]/g, (character) => [...Buffer.from(character)].map(escapeByte).join(""))}"`;
}
