import type { Response } from "undici";
import type { z } from "zod";

import { type ResponseBound, parseBoundedJson } from "@/lib/input/bounded-json";
import { outboundFetch, readBoundedText, readTextPieces } from "@/lib/outbound/outbound-fetch";
import { Allowance } from "@/lib/salesforce/allowance";
import { SMALL } from "@/lib/salesforce/answer-bounds";
import { errorOfAnswer, SalesforceError, tokenRefused } from "@/lib/salesforce/errors";
import { CONTENT_TIMEOUT_MS, type Receiver, ReceiverFailed, takeBody } from "@/lib/salesforce/take-body";
import { isElsewhere, isTokenRefused, orgMoved } from "@/lib/salesforce/refusals";
import { errorOfSocket } from "@/lib/salesforce/socket-errors";
import { DEFAULT_RETRY, retryAfterSeconds, type RetryPolicy, withRetry } from "@/lib/salesforce/retry";

/** Salesforce ends queries after 120 s. */
const TIMEOUT_MS = 130_000;

/** What a connected org is asked with. */
export interface Access {
  instanceUrl: string;
  accessToken: string;
}

export interface ClientOptions {
  instanceUrl: string;
  /** Null for the list of versions, which Salesforce gives to everybody. */
  accessToken: string | null;
  /** "67.0". Stored with the connection, see findVersion in probe.ts. */
  apiVersion: string;
  /**
   * For a connected org. Called after a 401, or when the org has another address: returns new access in place of the
   * refused one, null if there is none. Called once at a time, however many requests were refused.
   */
  onUnauthorized?: (refusedToken: string) => Promise<Access | null>;
  retry?: Partial<RetryPolicy>;
  timeoutMs?: number;
  /** Ends all requests of the client, as {@link timeoutMs} ends one exchange. */
  deadline?: AbortSignal;
  /** Bounds all answers together, where they may be kept in the memory of a process that others need. */
  allowance?: Allowance;
}

interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string;
  /** Set for a POST that only reads. A GET is always repeated after a transient failure. */
  repeatable?: boolean;
  signal?: AbortSignal;
  /** The limits of the answer; by default {@link SMALL}. */
  bound?: ResponseBound;
  into?: Receiver;
}

export interface Answer {
  status: number;
  headers: Response["headers"];
  text: string;
}

/** An answer that is read piece by piece. Whoever asked for it bounds it, and ends it by the signal of the request. */
export interface StreamedAnswer {
  headers: Response["headers"];
  text: AsyncIterable<string>;
}

/** API requests of the last 24 hours and their limit, from the header `Sforce-Limit-Info`. */
interface ApiUsage {
  used: number;
  limit: number;
}

/** A connection to one Salesforce org: pinned to its origin, with retry, timeouts and renewal of the access. */
export interface SalesforceClient {
  /** Changes only with the access, when Salesforce has given the org another address. */
  readonly origin: string;
  readonly apiVersion: string;
  /** "/services/data/v67.0" */
  readonly dataPath: string;
  readonly usage: ApiUsage | null;
  /** How many requests this client has sent. */
  readonly requests: number;
  /**
   * Sends a request and reads the complete answer. `path` begins with "/". Throws {@link SalesforceError} unless the
   * answer is a success.
   */
  request(path: string, options?: RequestOptions): Promise<Answer>;
  /** As `request`, for an answer that is too large for memory. The timeout is that of each of its pieces. */
  stream(path: string, options: RequestOptions & { signal: AbortSignal }): Promise<StreamedAnswer>;
  /** As `request`, with the body parsed by `schema`. */
  json<Schema extends z.ZodType>(path: string, schema: Schema, options?: RequestOptions): Promise<z.output<Schema>>;
}

/**
 * Opens a client. Nothing is sent until the first request. Throws `source_url_invalid` when `instanceUrl` is no URL.
 */
export function openClient(options: ClientOptions): SalesforceClient {
  return new Client(options);
}

class Client implements SalesforceClient {
  origin: string;
  readonly apiVersion: string;
  readonly dataPath: string;
  usage: ApiUsage | null = null;
  requests = 0;
  readonly #options: ClientOptions;
  readonly #retry: RetryPolicy;
  readonly #allowance: Allowance;
  #token: string | null;
  #renewal: Promise<Access | null> | null = null;

  constructor(options: ClientOptions) {
    if (!URL.canParse(options.instanceUrl))
      throw new SalesforceError("source_url_invalid", "The Salesforce address is not a URL.");
    this.origin = new URL(options.instanceUrl).origin;
    this.apiVersion = options.apiVersion;
    this.dataPath = `/services/data/v${options.apiVersion}`;
    this.#options = options;
    this.#retry = { ...DEFAULT_RETRY, ...options.retry, deadline: options.deadline };
    this.#allowance = options.allowance ?? new Allowance({ bytes: Infinity, values: Infinity });
    this.#token = options.accessToken;
  }

  async request(path: string, options: RequestOptions = {}): Promise<Answer> {
    const repeatable = options.repeatable ?? (options.method ?? "GET") === "GET";
    const policy = repeatable ? this.#retry : { ...this.#retry, retries: 0 };
    return withRetry(policy, options.signal, () =>
      this.#authorized((token) => this.#exchange(this.#pin(path), options, token)),
    );
  }

  stream(path: string, options: RequestOptions & { signal: AbortSignal }): Promise<StreamedAnswer> {
    return withRetry(this.#retry, options.signal, () =>
      this.#authorized((token) => this.#open(this.#pin(path), options, token)),
    );
  }

  async json<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    options: RequestOptions = {},
  ): Promise<z.output<Schema>> {
    const answer = await this.request(path, options);
    const value = this.#parse(answer, options.bound ?? SMALL);
    // `validate` stops at the first fault. `parse` would create a fault for every value of a hostile answer.
    if (schema.validate(value)) return schema.parse(value);
    const detail = `${new URL(this.origin).host} did not answer as Salesforce does. Check the address.`;
    throw new SalesforceError("source_not_salesforce", detail, { status: answer.status });
  }

  #parse({ text }: Answer, { values }: ResponseBound): unknown {
    try {
      return parseBoundedJson(text, values, (counted) => this.#allowance.take({ values: counted }));
    } catch (error) {
      throw errorOfSocket(error, new URL(this.origin));
    }
  }

  /** The access token must never be sent to another host, whatever the path contains. */
  #pin(path: string): URL {
    const url = path.startsWith("/") ? new URL(path, this.origin) : null;
    if (url?.origin === this.origin) return url;
    throw new SalesforceError(
      "source_error",
      "The request would have gone to another host than the Salesforce org, so it was not sent.",
      { errorCode: "FOREIGN_HOST" },
    );
  }

  /** One exchange. Where the access is refused, renews it and repeats the exchange once. */
  async #authorized<Result>(exchange: (token: string | null) => Promise<Result>): Promise<Result> {
    const token = this.#token;
    try {
      return await exchange(token);
    } catch (error) {
      const renew = this.#options.onUnauthorized;
      if (!renew || token === null || !isTokenRefused(error)) throw error;
      if (this.#token === token && !(await this.#renew(renew, token)))
        throw error.code === "source_token_refused" ? error : tokenRefused({ status: 401, cause: error });
      return exchange(this.#token);
    }
  }

  /** False: there is no other access. */
  async #renew(renew: (refusedToken: string) => Promise<Access | null>, refused: string): Promise<boolean> {
    this.#renewal ??= renew(refused).finally(() => (this.#renewal = null));
    const access = await this.#renewal;
    if (!access) return false;
    this.#token = access.accessToken;
    this.origin = new URL(access.instanceUrl).origin;
    return true;
  }

  async #exchange(url: URL, options: RequestOptions, token: string | null): Promise<Answer> {
    const { into, bound = SMALL } = options;
    const { timeoutMs = into ? CONTENT_TIMEOUT_MS : TIMEOUT_MS, deadline } = this.#options;
    const signals = [AbortSignal.timeout(timeoutMs), deadline, options.signal].filter((signal) => signal !== undefined);
    const maxBytes = Math.min(bound.bytes, this.#allowance.maxAnswerBytes);
    try {
      const response = await this.#send(url, options, token, AbortSignal.any(signals));
      const text = await (into ? takeBody(response, into) : readBoundedText(response, maxBytes));
      this.#allowance.take({ bytes: Buffer.byteLength(text) });
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw error instanceof ReceiverFailed ? error.cause : errorOfSocket(error, url);
    }
  }

  /** An exchange whose answer is left to be read. */
  async #open(
    url: URL,
    options: RequestOptions & { signal: AbortSignal },
    token: string | null,
  ): Promise<StreamedAnswer> {
    const { timeoutMs = TIMEOUT_MS, deadline } = this.#options;
    const timeout = new Timeout(timeoutMs);
    const signals = [timeout.signal, deadline, options.signal].filter((signal) => signal !== undefined);
    try {
      const response = await timeout.watch(this.#send(url, options, token, AbortSignal.any(signals)));
      const pieces = readTextPieces(response, (piece) => timeout.watch(piece));
      return { headers: response.headers, text: withSocketErrors(pieces, url, options.signal) };
    } catch (error) {
      if (options.signal.aborted) throw error;
      throw errorOfSocket(error, url);
    }
  }

  /** Sends a request. Throws the error of an error answer, which is short, whatever was requested. */
  async #send(url: URL, options: RequestOptions, token: string | null, signal: AbortSignal): Promise<Response> {
    this.requests += 1;
    const response = await outboundFetch(url, {
      method: options.method ?? "GET",
      headers: {
        accept: "application/json",
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: options.body }),
      signal,
    });
    this.#note(response.headers.get("sforce-limit-info"));
    if (response.ok) return response;
    const text = await readBoundedText(response, SMALL.bytes);
    const error = errorOfAnswer(response.status, text, retryAfterSeconds(response.headers.get("retry-after")));
    throw this.#options.onUnauthorized && isElsewhere(error) ? orgMoved(error) : error;
  }

  #note(limitInfo: string | null): void {
    const match = /api-usage=(\d+)\/(\d+)/.exec(limitInfo ?? "");
    if (match) this.usage = { used: Number(match[1]), limit: Number(match[2]) };
  }
}

/** Limits each of several waits to the same time: the wait for an answer, and that for each piece of it. */
class Timeout {
  readonly #controller = new AbortController();

  constructor(private readonly milliseconds: number) {}

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async watch<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(
      () => this.#controller.abort(new DOMException("The operation timed out.", "TimeoutError")),
      this.milliseconds,
    );
    return work.finally(() => clearTimeout(timer));
  }
}

async function* withSocketErrors(text: AsyncIterable<string>, url: URL, signal: AbortSignal): AsyncGenerator<string> {
  try {
    yield* text;
  } catch (error) {
    if (signal.aborted) throw error;
    throw errorOfSocket(error, url);
  }
}
