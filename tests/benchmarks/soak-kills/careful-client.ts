import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { Client } from "undici";

import { type Answered, exchange, isSuccess, type PlannedRequest } from "@/tests/benchmarks/api/exchange";
import type { ShownRecord } from "@/tests/benchmarks/soak-kills/ledger";

/** Counts of all clients together. */
export interface Tally {
  requests: number;
  /** Connections that broke before the answer: whether the request was carried out is unknown then. */
  unanswered: number;
  /** Connections that were refused, because the process was not there: the request went to the other one. */
  refused: number;
}

/** Before the next attempt: at another process, or after a refusal that asks for it. */
const REFUSED_PAUSE_MS = 100;
const BUSY_PAUSE_MS = 1000;

type Json = Record<string, unknown>;
type Request = Pick<PlannedRequest, "method" | "path" | "headers"> & { body?: object };

/**
 * A client of several web processes, as behind a balancer, that knows after each call whether it was carried out. If a
 * connection breaks before the answer, it repeats what can be repeated (a POST under the same `Idempotency-Key`, a PUT,
 * a deletion with `If-Match`), or looks what came of it. Every other refusal is thrown.
 */
export class CarefulClient implements AsyncDisposable {
  readonly #clients: Client[];
  readonly #token: string;
  readonly #tally: Tally;
  #next: number;
  /** What it is doing, for the message if it never ends. */
  current = "";

  constructor(origins: readonly string[], token: string, tally: Tally) {
    this.#clients = origins.map((origin) => new Client(origin, { pipelining: 1 }));
    this.#token = token;
    this.#tally = tally;
    this.#next = Math.floor(Math.random() * origins.length);
  }

  get(path: string): Promise<Json> {
    return this.#untilAnswered({ method: "GET", path });
  }

  /** All pages of a list. `path` has no query. */
  async list<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let query = "?limit=200"; ;) {
      const { data, next_cursor: cursor } = (await this.get(path + query)) as {
        data: Item[];
        next_cursor: string | null;
      };
      items.push(...data);
      if (cursor === null) return items;
      query = `?limit=200&cursor=${cursor}`;
    }
  }

  post(path: string, body?: object): Promise<Json> {
    const headers = { "idempotency-key": randomUUID() };
    return this.#untilAnswered({ method: "POST", path, headers, ...(body && { body }) });
  }

  /** Writes by external id, which may be repeated. */
  put(path: string, body: object): Promise<Json> {
    return this.#untilAnswered({ method: "PUT", path, body });
  }

  /** Changes a record that has this version. Returns it with the next one, or unchanged. */
  async patch(path: string, version: number, body: Json): Promise<Json> {
    const request: Request = { method: "PATCH", path, headers: { "if-match": `"${version}"` }, body };
    for (let isRepeat = false; ; isRepeat = true) {
      const answer = await this.#ask(request);
      if (answer && isSuccess(answer.status)) return jsonOf(answer);
      if (answer && !(isRepeat && answer.status === 412)) throw refused(request, answer);
      const found = (await this.get(path)) as ShownRecord;
      if (found.version === version) continue;
      if (found.version !== version + 1 || !hasFields(found, body))
        throw new Error(`PATCH ${path} of version ${version} had no answer, and left ${JSON.stringify(found)}.`);
      return found;
    }
  }

  /** Deletes a record that has this version. */
  async delete(path: string, version: number): Promise<void> {
    const request: Request = { method: "DELETE", path, headers: { "if-match": `"${version}"` } };
    for (let isRepeat = false; ; isRepeat = true) {
      const answer = await this.#ask(request);
      if (answer && (isSuccess(answer.status) || (isRepeat && answer.status === 404))) return;
      if (answer) throw refused(request, answer);
    }
  }

  /** Asks for a step that `isDone` recognizes. It is asked for again only if it is not done. */
  async step(path: string, body: object, isDone: () => Promise<boolean>): Promise<void> {
    const request: Request = { method: "POST", path, body };
    for (;;) {
      const answer = await this.#ask(request);
      if ((answer && isSuccess(answer.status)) || (await isDone())) return;
      if (answer) throw refused(request, answer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.destroy()));
  }

  async #untilAnswered(request: Request): Promise<Json> {
    for (;;) {
      const answer = await this.#ask(request);
      if (answer && isSuccess(answer.status)) return jsonOf(answer);
      if (answer && !isInProgress(answer)) throw refused(request, answer);
      if (answer) await delay(BUSY_PAUSE_MS);
    }
  }

  /** The answer; undefined if the connection broke before it. */
  async #ask({ method, path, headers, body }: Request): Promise<Answered | undefined> {
    this.current = `${method} ${path}`;
    const request = {
      method,
      path: `/api/v1${path}`,
      token: this.#token,
      ...(headers && { headers }),
      ...(body && { body: JSON.stringify(body) }),
    };
    for (;;) {
      this.#next = (this.#next + 1) % this.#clients.length;
      const client = this.#clients[this.#next] as Client;
      try {
        this.#tally.requests += 1;
        const answer = await exchange(client, request, () => true);
        if (answer.status !== 429) return answer;
        await delay(BUSY_PAUSE_MS);
      } catch (error) {
        if (!isRefusedConnection(error)) {
          this.#tally.unanswered += 1;
          return undefined;
        }
        this.#tally.refused += 1;
        await delay(REFUSED_PAUSE_MS);
      }
    }
  }
}

function jsonOf({ body }: Answered): Json {
  return JSON.parse(body) as Json;
}

function refused({ method, path }: Request, { status, body }: Answered): Error {
  return new Error(`${method} ${path} answered ${status}: ${body}`);
}

/** The request whose answer was lost may still be carried out. */
function isInProgress(answer: Answered): boolean {
  return answer.status === 409 && jsonOf(answer).code === "idempotency_key_in_use";
}

/** Nothing was sent. */
function isRefusedConnection(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
}

/** Whether a record has the fields of a change. Custom fields are merged by name. */
function hasFields(record: Json, fields: Json): boolean {
  return Object.entries(fields).every(([name, value]) =>
    name === "custom_fields" ? hasFields(record[name] as Json, value as Json) : isDeepStrictEqual(record[name], value),
  );
}
