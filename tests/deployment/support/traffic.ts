import { randomUUID } from "node:crypto";

const WRITERS = 3;
const READERS = 3;
const TIMEOUT_MS = 30_000;

export interface TrafficResult {
  reads: number;
  /** The names of the accounts whose creation was acknowledged. */
  written: string[];
  /** Every request that was not answered as it should be. */
  failures: string[];
}

/** Requests that flow until they are stopped: some clients list accounts, others create them, each repeatable. */
export class Traffic {
  readonly #result: TrafficResult = { reads: 0, written: [], failures: [] };
  readonly #clients: Promise<void>[];
  #isOver = false;

  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {
    this.#clients = [
      ...Array.from({ length: READERS }, () => this.#repeat(() => this.#read())),
      ...Array.from({ length: WRITERS }, () => this.#repeat(() => this.#write())),
    ];
  }

  /** Resolves when so many more requests have been answered. */
  async untilAnswered(more: number): Promise<void> {
    const goal = this.#answered() + more;
    while (this.#answered() < goal) await Promise.race([this.#read(), ...this.#clients]);
  }

  async stop(): Promise<TrafficResult> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    return this.#result;
  }

  #answered(): number {
    return this.#result.reads + this.#result.written.length + this.#result.failures.length;
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) await work();
  }

  async #read(): Promise<void> {
    if (await this.#send("GET", "/api/v1/accounts?limit=20", 200)) this.#result.reads += 1;
  }

  async #write(): Promise<void> {
    const name = `Account ${randomUUID()}`;
    if (await this.#send("POST", "/api/v1/accounts", 201, { name })) this.#result.written.push(name);
  }

  async #send(method: string, path: string, expected: number, body?: object): Promise<boolean> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(body && { "content-type": "application/json", "idempotency-key": randomUUID() }),
    };
    const answered = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: Error) => ({ status: 0, text: `${error.message}: ${String(error.cause)}` }));
    if (answered.status === expected) return true;
    this.#result.failures.push(`${method} ${path}: ${answered.status} ${answered.text.slice(0, 300)}`);
    return false;
  }
}
