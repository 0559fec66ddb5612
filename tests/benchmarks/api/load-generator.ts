import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import type { Order, Round } from "@/tests/benchmarks/api/repeat";

/** A process that sends what it is told, and reports how long it took. */
export class LoadGenerator implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #death: Promise<never>;

  constructor() {
    const file = join(import.meta.dirname, "load-process.ts");
    this.#process = fork(file, [], { execArgv: ["--import", "tsx"], serialization: "advanced" });
    this.#death = once(this.#process, "exit").then(() => Promise.reject(new Error("The generator of load ended.")));
    this.#death.catch(() => undefined);
  }

  /** One order at a time. Throws when an answer was no success. */
  async run(order: Order): Promise<Round> {
    const answer = once(this.#process, "message") as Promise<[{ round: Round } | { error: string }]>;
    this.#process.send(order);
    const [outcome] = await Promise.race([answer, this.#death]);
    if ("error" in outcome) throw new Error(outcome.error);
    return outcome.round;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }
}
