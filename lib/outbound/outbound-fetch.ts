import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";

import { Agent, buildConnector, type Dispatcher, fetch, Headers, type RequestInit, type Response } from "undici";

import { env } from "@/lib/env";
import { ResponseRefused, tooManyBytesError } from "@/lib/input/bounded-json";
import { AddressRefused, assertOutboundUrl, assertPublicAddress } from "@/lib/outbound/address-rules";
import { resolveHost } from "@/lib/outbound/resolve-host";

/**
 * Resolves a name and refuses it unless every address is allowed. It answers the very socket that dials, so a name
 * cannot change in between.
 */
function guardedLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, { all }, callback) =>
    lookupChecked(hostname, allowPrivate, (error, addresses) => {
      // An error comes alone.
      if (error) return callback(error, [], 0);
      const [first] = addresses;
      return all || !first ? callback(null, addresses) : callback(null, first.address, first.family);
    });
}

const lookupChecked = callbackify(checkedAddresses);

async function checkedAddresses(
  hostname: string,
  allowPrivate: boolean,
): Promise<{ address: string; family: number }[]> {
  // This machine's own names do not lead to the public internet.
  const addresses = await resolveHost(hostname, allowPrivate);
  for (const address of addresses) assertPublicAddress(address, allowPrivate);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

function openAgent(allowPrivate: boolean): Agent {
  const dial = buildConnector({ timeout: 10_000, allowH2: false, lookup: guardedLookup(allowPrivate) });
  return new Agent({
    connect(options, callback) {
      try {
        // A literal address is dialled without a lookup.
        if (isIP(options.hostname)) assertPublicAddress(options.hostname, allowPrivate);
      } catch (refusal) {
        return callback(refusal as Error, null);
      }
      return dial(options, callback);
    },
  });
}

const agents = new Map<boolean, Agent>();

/** The dispatcher that dials only allowed addresses; one per policy, so that connections are reused. */
function outboundDispatcher(allowPrivate = env.ALLOW_PRIVATE_NETWORK): Agent {
  const agent = agents.get(allowPrivate) ?? openAgent(allowPrivate);
  agents.set(allowPrivate, agent);
  return agent;
}

/**
 * Calls an address that a user gave. Redirects are returned, never followed. Throws {@link AddressRefused}, or what
 * fetch throws (a TypeError whose cause is the socket's error).
 */
export async function outboundFetch(
  url: string | URL,
  init: RequestInit,
  allowPrivate = env.ALLOW_PRIVATE_NETWORK,
): Promise<Response> {
  const target = new URL(url);
  assertOutboundUrl(target, allowPrivate);
  try {
    const headers = new Headers(init.headers);
    headers.set("accept-encoding", "gzip");
    return await fetch(target, { ...init, headers, redirect: "manual", dispatcher: outboundDispatcher(allowPrivate) });
  } catch (error) {
    if (error instanceof TypeError && error.cause instanceof AddressRefused) throw error.cause;
    throw error;
  }
}

/**
 * {@link outboundFetch} for requests that are sent by the thousand, without web streams and signals, which cost more
 * than the request. Throws {@link AddressRefused}, or the socket's error.
 */
export async function outboundRequest(
  url: string,
  init: OutboundRequest,
  allowPrivate = env.ALLOW_PRIVATE_NETWORK,
): Promise<Dispatcher.ResponseData> {
  const target = new URL(url);
  assertOutboundUrl(target, allowPrivate);
  return outboundDispatcher(allowPrivate).request({
    ...init,
    origin: target.origin,
    path: `${target.pathname}${target.search}`,
  });
}

/** {@link outboundRequest} to an address that is a setting of the service, not a user's: it may be a private one. */
export function requestSetting(url: string, init: OutboundRequest): Promise<Dispatcher.ResponseData> {
  return outboundRequest(url, init, true);
}

type OutboundRequest = Pick<Dispatcher.RequestOptions, "method" | "headers" | "body" | "signal" | "headersTimeout">;

/** Compressed once or not at all. Nested compression could expand to far more than the bytes that are read. */
const SINGLE_ENCODING = /^(?:x-)?gzip$|^identity$|^$/i;

/**
 * Reads a body as text of at most `maxBytes`, counted after decompression, so that no response can fill the memory. The
 * request's signal limits the time. Throws {@link ResponseRefused}.
 */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string> {
  await assertReadable(response, declaredTooLarge(response, maxBytes));
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooManyBytesError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * A body as pieces of text, for readers who bound what they keep. `watch` may limit the wait for each piece. Throws
 * {@link ResponseRefused}.
 */
export async function* readTextPieces(
  response: Response,
  watch: <T>(piece: Promise<T>) => Promise<T>,
): AsyncGenerator<string> {
  await assertReadable(response, null);
  if (!response.body) return;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await watch(reader.read() as Promise<{ done: boolean; value?: Uint8Array }>);
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function assertReadable(response: Response, refused: ResponseRefused | null): Promise<void> {
  const encoding = response.headers.get("content-encoding") ?? "";
  const refusal = SINGLE_ENCODING.test(encoding)
    ? refused
    : new ResponseRefused("It is compressed in a way that was not requested.");
  if (!refusal) return;
  await response.body?.cancel().catch(() => undefined);
  throw refusal;
}

function declaredTooLarge(response: Response, maxBytes: number): ResponseRefused | null {
  return Number(response.headers.get("content-length")) > maxBytes ? tooManyBytesError(maxBytes) : null;
}

/**
 * The code of what a call threw ("ECONNREFUSED", "UND_ERR_SOCKET"). fetch wraps the socket's error as its cause, and
 * several addresses that were tried in turn make an AggregateError, of which the first counts.
 */
export function errorCode(thrown: unknown): string | undefined {
  for (let error: unknown = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    if ("code" in error && typeof error.code === "string") return error.code;
    if (error instanceof AggregateError) return errorCode(error.errors[0]);
  }
  return undefined;
}
