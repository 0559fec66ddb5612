import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";

import { AwsV4Signer } from "aws4fetch";
import type { Dispatcher } from "undici";

import { ListingRefused, StorageError } from "@/lib/files/file-storage";
import { requestSetting } from "@/lib/outbound/outbound-fetch";

export interface S3Settings {
  /** The address of the bucket, in its host name or as a path. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Until an answer begins. */
  timeoutMs?: number;
}

/** A content that is sent as often as it takes. */
export interface Upload {
  file: FileHandle;
  size: number;
  sha256: string;
}

type Method = "GET" | "PUT" | "DELETE";

type Body = Dispatcher.ResponseData["body"];

const ATTEMPTS = 3;
const BACKOFF_MS = 200;
/** A request waits for each attempt. An upload is stored before it is answered, and takes as long as it takes. */
const ANSWER_TIMEOUT_MS = 15_000;
const MAX_REFUSAL_CHARACTERS = 4096;
/** Of a thousand objects, each with its key, time, digest and owner. */
const MAX_LIST_CHARACTERS = 4 * 1024 * 1024;
/** Statuses below 500 of a storage that may answer later. */
const BUSY = new Set([408, 429]);
const CHUNK_BYTES = 64 * 1024;

/**
 * The storage says that it has no object of this key. An answer 404 alone does not: the bucket may be missing, or
 * something in between answer for the storage.
 */
class NoSuchKey extends StorageError {}

/** The key of this service may not do this. */
class AccessDenied extends StorageError {}

/** For an object that may be missing. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof NoSuchKey) return null;
  throw error;
}

/**
 * Sends a request for an object, or for what else follows the bucket's address, and again after a pause if the storage
 * is busy: each may be repeated.
 */
export async function send(settings: S3Settings, method: Method, key: string, upload?: Upload): Promise<Body> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendOnce(settings, method, key, upload).catch(
      (error: unknown) => new StorageError("The storage of files cannot be reached.", true, { cause: error }),
    );
    const failure = answer instanceof StorageError ? answer : await refusalIn(answer);
    if (!failure) return (answer as Dispatcher.ResponseData).body;
    if (!failure.transient || attempt === ATTEMPTS) throw failure;
    await setTimeout(BACKOFF_MS * 2 ** attempt);
  }
}

/**
 * The first keys behind `after` that begin with `prefix`, in order, at most a thousand
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html). Ours have no character that XML escapes.
 */
export async function listKeys(settings: S3Settings, prefix: string, after: string): Promise<string[]> {
  const query = new URLSearchParams({ "list-type": "2", prefix, "start-after": after });
  const body = await send(settings, "GET", `?${query}`).catch((error: unknown) => {
    // Where the address leads to a folder within a bucket, this is the address of an object.
    const isRefused = error instanceof AccessDenied || error instanceof NoSuchKey;
    throw isRefused ? new ListingRefused(error.message, false) : error;
  });
  const text = await textOf(body, MAX_LIST_CHARACTERS);
  if (!text.includes("</ListBucketResult>"))
    throw new ListingRefused("The storage of files did not answer with a list of its objects.", false);
  return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].flatMap(([, key = ""]) => (key.startsWith(prefix) ? [key] : []));
}

async function sendOnce(
  { url, timeoutMs = ANSWER_TIMEOUT_MS, ...signing }: S3Settings,
  method: Method,
  key: string,
  upload?: Upload,
): Promise<Dispatcher.ResponseData> {
  const target = `${url.replace(/\/$/, "")}/${key}`;
  const digest = { "x-amz-content-sha256": upload?.sha256 ?? createHash("sha256").digest("hex") };
  const { headers } = await new AwsV4Signer({ ...signing, method, url: target, headers: digest, service: "s3" }).sign();
  return requestSetting(target, {
    method,
    headers: { ...Object.fromEntries(headers), ...(upload && { "content-length": String(upload.size) }) },
    ...(upload ? { body: Readable.from(chunksOf(upload)) } : { headersTimeout: timeoutMs }),
  });
}

/** A stream of the file itself would close it when a request ends, and the next one needs it. */
async function* chunksOf({ file, size }: Upload): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) throw new Error("The kept content is shorter than it was.");
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function refusalIn({ statusCode, body }: Dispatcher.ResponseData): Promise<StorageError | undefined> {
  if (statusCode < 300) return undefined;
  const code = await codeIn(body);
  const message = `The storage of files answered ${[statusCode, code].filter(Boolean).join(" ")}.`;
  if (code === "NoSuchKey") return new NoSuchKey(message, false);
  if (code === "AccessDenied") return new AccessDenied(message, false);
  // Without a code, a balancer answers while it has no storage to ask.
  const isOfBalancer = statusCode === 404 && code === undefined;
  const transient = statusCode >= 500 || BUSY.has(statusCode) || code === "RequestTimeout" || isOfBalancer;
  return new StorageError(message, transient);
}

/** The code of an error: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
async function codeIn(body: Body): Promise<string | undefined> {
  return /<Code>(\w{1,60})<\/Code>/.exec(await textOf(body, MAX_REFUSAL_CHARACTERS))?.[1];
}

/** The beginning of a body. */
async function textOf(body: Body, maxCharacters: number): Promise<string> {
  let text = "";
  for await (const chunk of body) {
    text += String(chunk);
    if (text.length > maxCharacters) break;
  }
  return text;
}
