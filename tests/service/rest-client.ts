/** A record as the REST API answers it. */
export type CrmRecord = Record<string, unknown> & {
  id: string;
  created_at: string;
  ext_id: string | null;
  custom_fields: Record<string, unknown>;
};

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
  has_more: boolean;
}

/** Everything of one list: its records, and the pages letter by letter. */
export interface Listing<Item> {
  records: Item[];
  texts: string[];
}

export interface Answer<Body> {
  status: number;
  body: Body;
}

/** The REST API, as a program of somebody outside calls it. */
export class RestClient {
  readonly #origin: string;
  readonly #token: string;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  async text(path: string): Promise<string> {
    const response = await this.#send("GET", path);
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text}`);
    return text;
  }

  async get<Body>(path: string): Promise<Body> {
    return JSON.parse(await this.text(path)) as Body;
  }

  async post<Body>(path: string, body: object): Promise<Answer<Body>> {
    const response = await this.#send("POST", path, body);
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** Follows a list to its end, in the largest pages. `path` has no query. */
  async list<Item>(path: string): Promise<Listing<Item>> {
    const listing: Listing<Item> = { records: [], texts: [] };
    let query = "?limit=200";
    for (;;) {
      const text = await this.text(path + query);
      const page = JSON.parse(text) as Page<Item>;
      listing.texts.push(text);
      listing.records.push(...page.data);
      if (page.has_more !== (page.next_cursor !== null)) throw new Error(`${path} says has_more ${page.has_more} beside ${page.next_cursor}.`);
      if (!page.has_more) return listing;
      query = `?limit=200&cursor=${page.next_cursor}`;
    }
  }

  #send(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, ...(body && { "content-type": "application/json" }) };
    return fetch(new URL(path, this.#origin), { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }
}
