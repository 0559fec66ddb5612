import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

import { outboundRequest } from "@/lib/outbound/outbound-fetch";
import { parseRetryAfter } from "@/lib/outbound/retry-after";
import { describeStatus, describeError } from "@/lib/webhooks/sending/outcome";
import { signatureHeader } from "@/lib/webhooks/sending/signing";

/** For the whole of an attempt: name, connection, answer. */
export const TIMEOUT_MS = 15_000;

const SECRET_UNREADABLE =
  "The secret cannot be read any more: rotate it, or have whoever runs this service put back its earlier APP_SECRET.";

/** What of an answer's headers is kept. */
const MAX_HEADERS = 50;

const MAX_HEADER_LENGTH = 500;

/** What is sent, and where to. */
export interface Message {
  url: string;
  /** None for deliveries that are not signed; null when there is a secret that cannot be read. */
  secrets: readonly string[] | null;
  /** The event's id, the same at every attempt, so that a receiver can tell what it has had before. */
  id: string;
  body: string;
}

/** What became of one attempt. It succeeded when the answer's status is 2xx. */
export interface Attempt {
  attemptedAt: Date;
  latencyMs: number;
  status: number | null;
  /** Why it failed, as a sentence; null when it succeeded. */
  error: string | null;
  headers: Record<string, string> | null;
  body: string | null;
  /** What the receiver asks to wait for. */
  retryAfterMs: number;
}

/** Sends one message, once. It never throws: whatever happens is what became of the attempt. */
export async function send({ secrets, ...message }: Message): Promise<Attempt> {
  const attemptedAt = new Date();
  const begun = performance.now();
  // Whoever verifies signatures would refuse it unsigned, and nobody would know why.
  const answer = secrets === null ? failed(SECRET_UNREADABLE) : await post({ ...message, secrets }, attemptedAt);
  return { attemptedAt, latencyMs: Math.round(performance.now() - begun), ...answer };
}

type Answer = Omit<Attempt, "attemptedAt" | "latencyMs">;

type Signable = Message & { secrets: readonly string[] };

async function post({ url, secrets, id, body }: Signable, at: Date): Promise<Answer> {
  // Unlike the signal of AbortSignal.timeout() it is forgotten with its attempt, of which there are thousands in that
  // time.
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new DOMException("It takes too long.", "TimeoutError")), TIMEOUT_MS);
  try {
    const request = {
      method: "POST",
      headers: attemptHeaders({ secrets, id, body }, at),
      body,
      signal: patience.signal,
    } as const;
    const { statusCode: status, headers, body: answer } = await outboundRequest(url, request);
    return {
      status,
      error: status >= 200 && status < 300 ? null : describeStatus(status),
      headers: keptHeaders(headers),
      body: await readBodyStart(answer),
      retryAfterMs: status === 429 || status === 503 ? (parseRetryAfter(String(headers["retry-after"] ?? "")) ?? 0) : 0,
    };
  } catch (error) {
    return failed(describeError(error, TIMEOUT_MS));
  } finally {
    clearTimeout(timer);
  }
}

function failed(error: string): Answer {
  return { status: null, error, headers: null, body: null, retryAfterMs: 0 };
}

/** Of an attempt at that moment (Standard Webhooks, "Webhook headers"). Without a secret there is no signature. */
export function attemptHeaders({ secrets, id, body }: Omit<Signable, "url">, at: Date): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const signature: Record<string, string> =
    secrets.length > 0 ? { "webhook-signature": signatureHeader(secrets, { id, timestamp, body }) } : {};
  return { ...fixedHeaders(id), "webhook-timestamp": String(timestamp), ...signature };
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value).slice(0, MAX_HEADER_LENGTH)]));
}

/**
 * The headers that every attempt at a delivery has alike (Standard Webhooks, "Webhook headers"); timestamp and
 * signature are made for each.
 */
export function fixedHeaders(eventId: string): Record<string, string> {
  return { "content-type": "application/json", "user-agent": "CRM-Webhooks/1", "webhook-id": eventId };
}

/** How much of an answer is kept, in bytes. */
const MAX_BODY_BYTES = 4096;

/**
 * The beginning of an answer's body as text; the rest is not waited for. An answer that breaks off, or hangs, gives
 * what there was until then.
 */
async function readBodyStart(answer: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      // Leaving the loop cancels the rest.
      if (size >= MAX_BODY_BYTES) break;
    }
  } catch {
    // The status has been given: that decides, not how the body ends.
  }
  const head = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES);
  // PostgreSQL keeps no NUL in a text.
  return new TextDecoder().decode(head).replaceAll("\0", "\uFFFD");
}
