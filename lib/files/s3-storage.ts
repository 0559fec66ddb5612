import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";

import { AwsV4Signer } from "aws4fetch";
import type { Dispatcher } from "undici";

import { type FileStorage, StorageError } from "@/lib/files/file-storage";
import { newId } from "@/lib/ids";
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

const ATTEMPTS = 3;
const BACKOFF_MS = 200;
/** A request waits for each attempt. An upload is stored before it is answered, and takes as long as it takes. */
const ANSWER_TIMEOUT_MS = 15_000;
const MAX_REFUSAL_CHARACTERS = 4096;
/** Statuses below 500 of a storage that may answer later. */
const BUSY = new Set([408, 429]);
const CHUNK_BYTES = 64 * 1024;

/** A content that is sent as often as it takes. */
interface Upload {
  file: FileHandle;
  size: number;
  sha256: string;
}

/**
 * A bucket with the API of S3 as storage. A content is kept in a file of `folder` until it is sent: S3 wants its length
 * and digest first, and verifies them, so that it stores all of it or nothing.
 */
export function s3Storage(settings: S3Settings, folder: string): FileStorage {
  return {
    async write(key, content) {
      const file = await openNameless(folder);
      try {
        const { body } = await send(settings, "PUT", key, await keep(file, content));
        await body.dump();
      } finally {
        await file.close();
      }
    },
    async read(key) {
      const { statusCode, body } = await send(settings, "GET", key);
      if (statusCode !== 404) return Readable.toWeb(body) as ReadableStream<Uint8Array>;
      await body.dump();
      return null;
    },
    async remove(key) {
      const { body } = await send(settings, "DELETE", key);
      await body.dump();
    },
    // The storage has whole contents only, and what a killed process had kept here had no name.
    removeUnfinished: () => Promise.resolve(0),
  };
}

/** A file without a name: the system deletes it when it is closed, and when this process is killed. */
async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${newId()}.upload`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}

async function keep(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<Upload> {
  const digest = createHash("sha256");
  let size = 0;
  for await (const chunk of content) {
    digest.update(chunk);
    size += chunk.byteLength;
    await file.appendFile(chunk);
  }
  return { file, size, sha256: digest.digest("hex") };
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

/** Sends a request, and again after a pause if the storage is busy: each may be repeated. A read may answer 404. */
async function send(
  settings: S3Settings,
  method: "GET" | "PUT" | "DELETE",
  key: string,
  upload?: Upload,
): Promise<Dispatcher.ResponseData> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendOnce(settings, method, key, upload).catch(
      (error: unknown) => new StorageError("The storage of files cannot be reached.", true, { cause: error }),
    );
    const failure = answer instanceof StorageError ? answer : await refusalIn(answer, method);
    if (!failure) return answer as Dispatcher.ResponseData;
    if (!failure.transient || attempt === ATTEMPTS) throw failure;
    await setTimeout(BACKOFF_MS * 2 ** attempt);
  }
}

async function sendOnce(
  { url, timeoutMs = ANSWER_TIMEOUT_MS, ...signing }: S3Settings,
  method: "GET" | "PUT" | "DELETE",
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

async function refusalIn(
  { statusCode, body }: Dispatcher.ResponseData,
  method: string,
): Promise<StorageError | undefined> {
  if (statusCode < 300 || (statusCode === 404 && method !== "PUT")) return undefined;
  const code = await codeIn(body);
  const transient = statusCode >= 500 || BUSY.has(statusCode) || code === "RequestTimeout";
  return new StorageError(`The storage of files answered ${[statusCode, code].filter(Boolean).join(" ")}.`, transient);
}

/** The code of an error: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
async function codeIn(body: Dispatcher.ResponseData["body"]): Promise<string | undefined> {
  let text = "";
  for await (const chunk of body) {
    text += String(chunk);
    if (text.length > MAX_REFUSAL_CHARACTERS) break;
  }
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
}
