import { type ChildProcess, spawn } from "node:child_process";
import { on } from "node:events";

import { REFUSAL_EXIT_CODE } from "@/scripts/service/fault";

/** A process that is kept running: if it ends by itself, it is started again. */
export interface Supervised {
  /** The current process id. */
  pid: () => number | undefined;
  /** What the process says of its readiness; undefined if it says nothing before the abort. */
  readiness: (signal: AbortSignal) => Promise<unknown>;
  /**
   * Ends the process, so that it is started again: at once, or after it has finished what is in hand. `why` completes
   * the sentence "The web process …".
   */
  restart: (why: string, options: { atOnce: boolean }) => void;
  stop: () => Promise<void>;
}

/** What a supervisor asks a process, which answers with the same id (tell-readiness.ts). */
export interface ReadinessQuestion {
  readinessOf: number;
}

interface Description {
  name: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** A process that ends sooner than this cannot start. The delays before its next starts grow. */
const STARTED_AFTER_MS = 2_000;
/** A process that runs this long has recovered. */
const RECOVERED_AFTER_MS = 60_000;
/** What a process refused may be mended meanwhile by somebody, and not by its next start. */
const AFTER_REFUSAL_MS = 30_000;
const KILL_AFTER_MS = 15_000;

/**
 * How long to wait before the next start of a process that ended with `code`, ran for `uptimeMs` and was started after
 * a delay of `delayMs`.
 */
export function nextDelay(delayMs: number, uptimeMs: number, code: number | null = null): number {
  if (code === REFUSAL_EXIT_CODE) return AFTER_REFUSAL_MS;
  if (uptimeMs >= RECOVERED_AFTER_MS) return FIRST_DELAY_MS;
  return uptimeMs < STARTED_AFTER_MS
    ? Math.min(MAX_DELAY_MS, Math.max(FIRST_DELAY_MS, delayMs * 2))
    : Math.min(MAX_DELAY_MS, Math.max(FIRST_DELAY_MS, delayMs));
}

/** How much longer than usual the settings let a process take to stop, in milliseconds. */
export function extraStopMs({ STOP_DELAY_SECONDS, STOP_TIMEOUT_SECONDS }: NodeJS.ProcessEnv): number {
  return 1000 * ((Number(STOP_DELAY_SECONDS) || 0) + (Number(STOP_TIMEOUT_SECONDS) || 0));
}

/**
 * Starts a Node process, and starts it again whenever it ends before `stop` is called. Its output goes to stderr. It
 * should call `endWithSupervisor`, so that it does not outlive this process.
 */
export function supervise({ name, args, cwd, env, print }: Description): Supervised {
  let child: ChildProcess | undefined;
  let nextStart: NodeJS.Timeout | undefined;
  let stopping = false;
  let delay = 0;
  const killAfterMs = KILL_AFTER_MS + extraStopMs(env);

  function start(): void {
    const started = performance.now();
    // Detached, so that the terminal's Ctrl-C does not reach it and we decide the order of stopping. The IPC channel
    // shows it when this process has ended.
    const spawned = spawn(process.execPath, args, {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", process.stderr, process.stderr, "ipc"],
    });
    child = spawned;
    spawned.once("exit", (code, signal) => onEnd(`ended (${signal ?? `code ${code}`})`, started, code));
    // A process without an id could not be started and emits no exit. One with an id, which could not be signalled,
    // still runs.
    spawned.on("error", (error) =>
      spawned.pid === undefined ? onEnd(`could not be started (${error.message})`, started) : undefined,
    );
  }

  function onEnd(how: string, started: number, code: number | null = null): void {
    child = undefined;
    if (stopping) return;
    delay = nextDelay(delay, performance.now() - started, code);
    print(`The ${name} process ${how}; starting it again in ${delay / 1000} s.`);
    nextStart = setTimeout(start, delay);
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(nextStart);
    await end(child, killAfterMs);
  }

  function restart(why: string, { atOnce }: { atOnce: boolean }): void {
    print(`The ${name} process ${why}; ending it.`);
    void end(child, atOnce ? 0 : killAfterMs);
  }

  start();
  return { pid: () => child?.pid, readiness: (signal) => askReadiness(child, signal), restart, stop };
}

let questions = 0;

async function askReadiness(running: ChildProcess | undefined, signal: AbortSignal): Promise<unknown> {
  if (!running?.connected) return undefined;
  const question: ReadinessQuestion = { readinessOf: (questions += 1) };
  // Its end fails the sending, and is told by its exit.
  running.send(question, () => undefined);
  try {
    // A late answer to an earlier question may come first.
    for await (const [answer] of on(running, "message", { signal, close: ["exit"] }))
      if (isAnswer(answer) && answer.readinessOf === question.readinessOf) return answer.readiness;
  } catch {
    // Aborted.
  }
  return undefined;
}

function isAnswer(message: unknown): message is ReadinessQuestion & { readiness: unknown } {
  return typeof message === "object" && message !== null && "readinessOf" in message && "readiness" in message;
}

async function end(running: ChildProcess | undefined, killAfterMs: number): Promise<void> {
  if (running?.pid === undefined) return;
  const exited = new Promise((done) => running.once("exit", done));
  running.kill("SIGTERM");
  const kill = setTimeout(() => running.kill("SIGKILL"), killAfterMs);
  await exited;
  clearTimeout(kill);
}
