import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

import { metrics, startSpan } from "@/lib/observability/instruments";
import { AddressRefused } from "@/lib/outbound/address-rules";
import { outboundRequest } from "@/lib/outbound/outbound-fetch";
import { parseRetryAfter } from "@/lib/outbound/retry-after";
import { describeStatus, describeError } from "@/lib/webhooks/sending/outcome";
import { signatureHeader } from "@/lib/webhooks/sending/signing";

/** The timeout of a whole attempt: lookup, connection, answer. */
export const TIMEOUT_MS = 15_000;

const SECRET_UNREADABLE =
  "The secret can no longer be read. Rotate it, or ask whoever runs this service to restore its earlier APP_SECRET.";

/** The most headers of an answer that are stored. */
const MAX_HEADERS = 50;

const MAX_HEADER_LENGTH = 500;

/** A delivery to send. */
export interface Message {
  url: string;
  /** Empty without a signature; null when the secret cannot be decrypted. */
  secrets: readonly string[] | null;
  /** The event's id, the same in every attempt, so that a receiver can recognise repeats. */
  id: string;
  body: string;
}

/** The outcome of one attempt. A 2xx status is a success. */
export interface Attempt {
  /** When it began, by `performance.now()`: the clock of this process may be wrong. */
  startedAt: number;
  latencyMs: number;
  status: number | null;
  /** Why it failed, as a sentence; null when it succeeded. */
  error: string | null;
  headers: Record<string, string> | null;
  body: string | null;
  /** The receiver's `Retry-After`; 0 for none. */
  retryAfterMs: number;
}

/** Sends one delivery, once. It never throws: a failure is an outcome. */
export async function send({ secrets, ...message }: Message): Promise<Attempt> {
  const startedAt = performance.now();
  const span = startSpan("webhook delivery", "client");
  // A receiver that verifies signatures would refuse an unsigned delivery, and nobody would know why.
  const { isSent, ...answered } =
    secrets === null ? failed(SECRET_UNREADABLE, false) : await post({ ...message, secrets });
  const latencyMs = performance.now() - startedAt;
  const outcome = isSent ? outcomeOf(answered) : "not_sent";
  metrics()?.deliveryAttempts.observe({ outcome }, latencyMs / 1000);
  span?.end({ "crm.outcome": outcome }, answered.error !== null);
  return { startedAt, latencyMs: Math.round(latencyMs), ...answered };
}

/** What metrics and traces say of an attempt: nothing that names the endpoint. */
function outcomeOf({ error, status }: Pick<Attempt, "error" | "status">): string {
  if (error === null) return "delivered";
  return status === null ? "unanswered" : `answered_${Math.floor(status / 100)}xx`;
}

/** `isSent`: false when it was kept back here, for a secret that cannot be read or an address that is refused. */
type Answer = Omit<Attempt, "startedAt" | "latencyMs"> & { isSent: boolean };

type Signable = Message & { secrets: readonly string[] };

async function post({ url, secrets, id, body }: Signable): Promise<Answer> {
  // AbortSignal.timeout() would stay in memory until its time is over; there are thousands of attempts in that time.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException("It takes too long.", "TimeoutError")), TIMEOUT_MS);
  try {
    const request = {
      method: "POST",
      headers: attemptHeaders({ secrets, id, body }, new Date()),
      body,
      signal: timeout.signal,
    } as const;
    const { statusCode: status, headers, body: answer } = await outboundRequest(url, request);
    return {
      isSent: true,
      status,
      error: status >= 200 && status < 300 ? null : describeStatus(status),
      headers: boundHeaders(headers),
      body: await readBodyStart(answer),
      retryAfterMs: status === 429 || status === 503 ? (parseRetryAfter(String(headers["retry-after"] ?? "")) ?? 0) : 0,
    };
  } catch (error) {
    return failed(describeError(error, TIMEOUT_MS), !(error instanceof AddressRefused));
  } finally {
    clearTimeout(timer);
  }
}

function failed(error: string, isSent: boolean): Answer {
  return { isSent, status: null, error, headers: null, body: null, retryAfterMs: 0 };
}

/**
 * The headers of an attempt at a time (Standard Webhooks, "Webhook headers"). Without a secret they have no signature.
 */
export function attemptHeaders({ secrets, id, body }: Omit<Signable, "url">, at: Date): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const signature: Record<string, string> =
    secrets.length > 0 ? { "webhook-signature": signatureHeader(secrets, { id, timestamp, body }) } : {};
  return { ...fixedHeaders(id), "webhook-timestamp": String(timestamp), ...signature };
}

function boundHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const bounded = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(bounded.map(([name, value]) => [name, String(value).slice(0, MAX_HEADER_LENGTH)]));
}

/** The headers that all attempts of a delivery share (Standard Webhooks, "Webhook headers"). */
export function fixedHeaders(eventId: string): Record<string, string> {
  return { "content-type": "application/json", "user-agent": "CRM-Webhooks/1", "webhook-id": eventId };
}

/** The most bytes of an answer's body that are stored. */
const MAX_BODY_BYTES = 4096;

/** The beginning of an answer's body as text. It does not wait for the rest, and keeps what came before a failure. */
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
    // The status decides, not how the body ends.
  }
  const head = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES);
  // A text of PostgreSQL cannot hold NUL.
  return new TextDecoder().decode(head).replaceAll("\0", "\uFFFD");
}
