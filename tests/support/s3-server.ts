import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

import { afterAll } from "vitest";

import { listen } from "@/tests/support/hosts";

/**
 * A server with the part of S3's API that stores, reads and deletes one object, and lists objects. It checks the
 * signature (Signature Version 4, "Create a signed AWS API request"), the length and the digest of what it stores, and
 * shares no code with the service.
 */
export interface S3Server {
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The objects by key. */
  objects: Map<string, Buffer>;
  /** The status of the next answers, or all of each, instead of doing what was asked; 0 for none at all. */
  faults: (number | [status: number, body: string])[];
  /** Requests so far: `PUT key`. */
  requests: string[];
}

const KEYS = { region: "eu-test-1", accessKeyId: "test-key", secretAccessKey: "test-secret/with+signs" };

const MAX_LISTED = 3;

export async function startS3Server(): Promise<S3Server> {
  const state: S3Server = { ...KEYS, url: "", objects: new Map(), faults: [], requests: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [status, body] = answer(state, request, Buffer.concat(chunks));
      if (status === 0) return;
      response.writeHead(status, { "content-length": Buffer.byteLength(body) }).end(body);
    });
  });
  state.url = `${await listen(server)}/bucket`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}

function answer(state: S3Server, request: IncomingMessage, body: Buffer): [number, Buffer | string] {
  const { method = "", url = "" } = request;
  const { pathname, searchParams } = new URL(url, state.url);
  const key = pathname.replace("/bucket/", "");
  state.requests.push(`${method} ${key}`);
  const fault = state.faults.shift();
  if (fault !== undefined) return typeof fault === "number" ? refuse(fault, "InternalError") : fault;
  if (!isSigned(request)) return refuse(403, "SignatureDoesNotMatch");
  const digest = createHash("sha256").update(body).digest("hex");
  if (request.headers["x-amz-content-sha256"] !== digest) return refuse(400, "XAmzContentSHA256Mismatch");
  return carryOut(state, request, { key, search: searchParams, body });
}

function carryOut(
  state: S3Server,
  { method, headers }: IncomingMessage,
  { key, search, body }: { key: string; search: URLSearchParams; body: Buffer },
): [number, Buffer | string] {
  if (method === "PUT") {
    if (headers["content-length"] === undefined) return refuse(411, "MissingContentLength");
    state.objects.set(key, body);
    return [200, ""];
  }
  if (method === "DELETE") {
    state.objects.delete(key);
    return [204, ""];
  }
  if (key === "" && search.get("list-type") === "2") return [200, list(state, search)];
  const found = state.objects.get(key);
  return found ? [200, found] : refuse(404, "NoSuchKey");
}

/** As S3 with MAX_LISTED in place of a thousand. */
function list({ objects }: S3Server, asked: URLSearchParams): string {
  const [prefix, after] = [asked.get("prefix") ?? "", asked.get("start-after") ?? ""];
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const contents = keys.slice(0, MAX_LISTED).map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`);
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${contents.join("")}</ListBucketResult>`;
}

function refuse(status: number, code: string): [number, string] {
  return [status, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>No.</Message></Error>`];
}

function hmac(secret: string | Buffer, text: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, credential = "", names = "", signature] = pattern.exec(headers.authorization ?? "") ?? [];
  const time = String(headers["x-amz-date"]);
  const scope = `${time.slice(0, 8)}/${KEYS.region}/s3/aws4_request`;
  const signed = names.split(";");
  if (credential !== `${KEYS.accessKeyId}/${scope}`) return false;
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name))) return false;
  const [path = "", query = ""] = String(url).split("?");
  const canonical = [
    method,
    path,
    query.split("&").toSorted().join("&"),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const digest = createHash("sha256").update(canonical).digest("hex");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${KEYS.secretAccessKey}`);
  return hmac(key, ["AWS4-HMAC-SHA256", time, scope, digest].join("\n")).toString("hex") === signature;
}
