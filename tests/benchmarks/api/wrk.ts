import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { installDebianPackage } from "@/scripts/service/debian-package";
import { stopRequest } from "@/scripts/service/stop-request";
import type { PlannedRequest } from "@/tests/benchmarks/api/exchange";

/** Sends the requests one after the other, again and again, over this many connections at a time. */
export interface Order {
  /** "http://localhost:3000". */
  origin: string;
  connections: number;
  /** Whole ones. */
  seconds: number;
  requests: readonly PlannedRequest[];
}

/** How the requests that came to an end in time fared. */
export interface Round {
  requestsPerSecond: number;
  /** The latencies that so many percent of the requests did not exceed, in milliseconds. */
  p50: number;
  p95: number;
  p99: number;
}

/** What the script prints last; the times in microseconds. */
interface Report {
  requests: number;
  duration: number;
  percentiles: [number, number, number];
  refused: number;
  lost: number;
  /** The first of the answers that were no success. */
  refusal: string;
}

/**
 * wrk makes the load: it is known, and what it costs itself is little beside what it measures, which has the same two
 * cores. Throws when an answer was no success: what is refused quickly must not count as fast.
 */
export async function repeat({ origin, connections, seconds, requests }: Order): Promise<Round> {
  if (!existsSync("/usr/bin/wrk"))
    await installDebianPackage("wrk", "The benchmarks of the API need the load generator wrk.", stopRequest());
  const folder = await mkdtemp(join(tmpdir(), "crm-wrk-"));
  try {
    const script = join(folder, "requests.lua");
    await writeFile(script, scriptOf(new URL(origin).host, requests));
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

/** The script's part for wrk's only thread (its `setup` runs apart and keeps that thread, to ask it afterwards). */
function scriptOf(host: string, requests: readonly PlannedRequest[]): string {
  return `
local requests = { ${requests.map((request) => quote(rawRequest(host, request))).join(",\n")} }
local last = 0
function request()
  last = last % #requests + 1
  return requests[last]
end

refusal = ""
function response(status, headers, body)
  if (status < 200 or status > 299) and refusal == "" then refusal = status .. " " .. body end
end

local thread
function setup(it) thread = it end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"duration":%d,"percentiles":[%d,%d,%d],"refused":%d,"lost":%d,"refusal":"%s"}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(95), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    thread:get("refusal"):sub(1, 500):gsub('[%c"\\\\]', " ")
  ))
end
`;
}

function rawRequest(host: string, { method, path, token, body }: PlannedRequest): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  if (body !== undefined) lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** As a string of Lua, whose escapes are decimal bytes. */
function quote(text: string): string {
  return `"${text.replaceAll(/[^ !#-[\]-~]/g, (character) => [...Buffer.from(character)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join(""))}"`;
}
