import { type Answer as Validated, sendRequest, faultsOf } from "@/tests/service/api/support/send-request";

/** A record of the REST API. */
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

/** A whole list: its records, and the unparsed texts of its pages. */
export interface Listing<Item> {
  records: Item[];
  texts: string[];
}

export interface Answer<Body> {
  status: number;
  body: Body;
}

const API = "/api/v1";

/**
 * Calls the REST API as an outside program does. Through a validating proxy, throws if an answer is not as documented.
 */
export class RestClient {
  readonly #base: string;
  readonly #token: string;

  constructor(origin: string, token: string, validator?: string) {
    this.#base = validator ?? `${origin}${API}`;
    this.#token = token;
  }

  async text(path: string): Promise<string> {
    const { status, text } = await this.#send("GET", path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return text;
  }

  async get<Body>(path: string): Promise<Body> {
    return JSON.parse(await this.text(path)) as Body;
  }

  async post<Body>(path: string, body: object): Promise<Answer<Body>> {
    const { status, body: answered } = await this.#send("POST", path, body);
    return { status, body: answered as Body };
  }

  /** Reads all pages of a list, of the largest size. `path` has no query. */
  async list<Item>(path: string): Promise<Listing<Item>> {
    const listing: Listing<Item> = { records: [], texts: [] };
    let query = "?limit=200";
    for (;;) {
      const text = await this.text(path + query);
      const page = JSON.parse(text) as Page<Item>;
      listing.texts.push(text);
      listing.records.push(...page.data);
      if (page.has_more !== (page.next_cursor !== null))
        throw new Error(`${path} says has_more ${page.has_more} beside ${page.next_cursor}.`);
      if (!page.has_more) return listing;
      query = `?limit=200&cursor=${page.next_cursor}`;
    }
  }

  async #send(method: string, path: string, body?: object): Promise<Validated> {
    const answer = await sendRequest(this.#base, method, { path: path.replace(API, ""), token: this.#token, body });
    const faults = faultsOf(answer, "answer");
    if (faults.length > 0) throw new Error(`${method} ${path} was not answered as documented:\n${faults.join("\n")}`);
    return answer;
  }
}
