import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import type { Call } from "@/tests/http/support/call-api";

/** After a refusal, so that a database that is away does not get a thousand requests. */
const PAUSE_MS = 50;

/** Clients that create accounts, each one after the other, until they are stopped. */
export class Writers {
  /** The names of the accounts whose creation was acknowledged. */
  readonly acknowledged: string[] = [];
  /** Those of the others: they may have been created, or not. */
  readonly refused: string[] = [];
  /** The status and the problem's code of each refusal. */
  readonly refusals = new Set<string>();
  readonly #clients: Promise<void>[];
  #isOver = false;

  constructor(
    private readonly call: Call,
    clients: number,
  ) {
    this.#clients = Array.from({ length: clients }, () => this.#write());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const name = `Account ${randomUUID()}`;
      const { status, body } = await this.call("POST", "/accounts", { body: { name } });
      if (status === 201) this.acknowledged.push(name);
      else {
        this.refused.push(name);
        this.refusals.add(`${status} ${String(body.code)}`);
        await delay(PAUSE_MS);
      }
    }
  }
}
