import { readDemo, tokenOf } from "@/tests/service/support/demo";

export const demo = readDemo();

/** An answer of the service. */
export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** A record as in the specification. All other fields are the service's own. */
export interface Stored {
  id: string;
  created_at: string;
  ext_id: string | null;
  [field: string]: unknown;
}

export interface Page<T = Stored> {
  data: T[];
  next_cursor: string | null;
  has_more: boolean;
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The REST API below {base_url}/api/v1, called with plain fetch and the headers of its caller. */
export class Api {
  readonly #headers: Record<string, string>;

  constructor(headers: Record<string, string>) {
    this.#headers = headers;
  }

  get<T>(path: string): Promise<Answer<T>> {
    return this.#send("GET", path);
  }

  post<T>(path: string, body: unknown): Promise<Answer<T>> {
    return this.#send("POST", path, body);
  }

  put<T>(path: string, body: unknown): Promise<Answer<T>> {
    return this.#send("PUT", path, body);
  }

  patch<T>(path: string, body: unknown): Promise<Answer<T>> {
    return this.#send("PATCH", path, body);
  }

  delete<T>(path: string): Promise<Answer<T>> {
    return this.#send("DELETE", path);
  }

  /** The same for requests that must succeed and are not tested themselves. */
  async must<T = Stored>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#send<T>(method, path, body);
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Every page of a list, by the client's rule: cursor=next_cursor until there is none. */
  async *pages<T = Stored>(list: string, limit: number): AsyncGenerator<Page<T>> {
    const join = list.includes("?") ? "&" : "?";
    let cursor = "";
    for (;;) {
      const page = await this.must<Page<T>>("GET", `${list}${join}limit=${limit}${cursor}`);
      yield page;
      if (!page.has_more || page.next_cursor === null) return;
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  async all<T = Stored>(list: string): Promise<T[]> {
    const records: T[] = [];
    for await (const page of this.pages<T>(list, 200)) records.push(...page.data);
    return records;
  }

  async #send<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const headers = { ...this.#headers, ...(body !== undefined && { "content-type": "application/json" }) };
    const response = await fetch(`${demo.base_url}/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as T };
  }
}

export function bearer(token: string): Api {
  return new Api({ authorization: `Bearer ${token}` });
}

/** The API as the demo's client, which an admin allowed to read and write all records. */
export async function openApi(): Promise<Api> {
  return bearer(await tokenOf(demo));
}
