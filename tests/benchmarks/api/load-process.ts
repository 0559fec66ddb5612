import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

type Message<Report> = { report: Report } | { error: string };

/**
 * A separate process that carries out tasks and returns reports, so that its load does not disturb the measuring
 * process.
 */
export class LoadProcess<Task extends object, Report> implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exited: Promise<never>;

  /** `file` calls {@link handleTasks}. */
  constructor(file: string) {
    this.#process = fork(file, [], { execArgv: ["--import", "tsx"], serialization: "advanced" });
    this.#exited = once(this.#process, "exit").then(() =>
      Promise.reject(new Error("The process that makes the load ended.")),
    );
    this.#exited.catch(() => undefined);
  }

  /** Runs one task at a time. Throws the error of the other process. */
  async run(task: Task): Promise<Report> {
    const answer = once(this.#process, "message") as Promise<[Message<Report>]>;
    this.#process.send(task);
    const [message] = await Promise.race([answer, this.#exited]);
    if ("error" in message) throw new Error(message.error);
    return message.report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }
}

/** The other end: carries out the tasks of this process's {@link LoadProcess}. */
export function handleTasks<Report>(handle: (task: never) => Promise<Report>): void {
  const send = (message: Message<Report>): void => void process.send?.(message);
  process.on("message", (task) => {
    handle(task as never).then(
      (report) => send({ report }),
      (error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
}
