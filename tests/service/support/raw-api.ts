import { expect } from "vitest";

import { type Demo, readDemo, tokenOf } from "@/tests/service/support/demo";
import { type RawAnswer, sendRaw } from "@/tests/service/support/raw-request";

export const LIST = "/api/v1/accounts";

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends requests to the service's API that an HTTP client would correct or refuse. */
export class RawApi {
  readonly #demo: Demo;
  readonly token: string;

  constructor(demo: Demo, token: string) {
    this.#demo = demo;
    this.token = token;
  }

  static async open(): Promise<RawApi> {
    const demo = readDemo();
    return new RawApi(demo, await tokenOf(demo));
  }

  get baseUrl(): string {
    return this.#demo.base_url;
  }

  /** Sends bytes unchanged. */
  send(bytes: string | Buffer): Promise<RawAnswer> {
    return sendRaw(this.baseUrl, bytes);
  }

  /** Sends a request with the access token. The target is sent unchanged. */
  call(target: string, { method = "GET", headers = {}, body = "" }: Call = {}): Promise<RawAnswer> {
    const all = { host: "localhost", connection: "close", authorization: `Bearer ${this.token}`, ...headers };
    const length = body.length > 0 || method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {};
    const lines = Object.entries({ ...length, ...all }).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
    return this.send(Buffer.concat([head, Buffer.from(body)]));
  }

  /** The head of a GET request with the access token. `more` is added as header lines. */
  head(target: string, more = ""): string {
    const lines = ["host: localhost", `authorization: Bearer ${this.token}`, "connection: close"];
    return `GET ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n${more}\r\n`;
  }
}

/** "404 not_found". Asserts that the answer is a problem whose request id is also in the header. */
export function refusal({ status, headers, body }: RawAnswer): string {
  expect(headers.get("content-type")).toBe("application/problem+json");
  const problem = JSON.parse(body) as { status: number; code: string; request_id: string; detail: string };
  expect(problem.status).toBe(status);
  expect(problem.detail).not.toBe("");
  expect(headers.get("x-request-id")).toBe(problem.request_id);
  return `${status} ${problem.code}`;
}
