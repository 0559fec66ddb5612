import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

type Message<Report> = { report: Report } | { error: string };

/**
 * A process that sends what it is told, and reports how it went: neither its work nor its waits are those of who
 * measures.
 */
export class LoadProcess<Order extends object, Report> implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #death: Promise<never>;

  /** `file` calls {@link takeOrders}. */
  constructor(file: string) {
    this.#process = fork(file, [], { execArgv: ["--import", "tsx"], serialization: "advanced" });
    this.#death = once(this.#process, "exit").then(() =>
      Promise.reject(new Error("The process that makes the load ended.")),
    );
    this.#death.catch(() => undefined);
  }

  /** One order at a time. Throws what the other process threw. */
  async run(order: Order): Promise<Report> {
    const answer = once(this.#process, "message") as Promise<[Message<Report>]>;
    this.#process.send(order);
    const [message] = await Promise.race([answer, this.#death]);
    if ("error" in message) throw new Error(message.error);
    return message.report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }
}

/** The other end: carries out what the {@link LoadProcess} of this process is told. */
export function takeOrders<Report>(carryOut: (order: never) => Promise<Report>): void {
  const send = (message: Message<Report>): void => void process.send?.(message);
  process.on("message", (order) => {
    carryOut(order as never).then(
      (report) => send({ report }),
      (error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
}
