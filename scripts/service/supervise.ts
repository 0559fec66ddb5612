import { type ChildProcess, spawn } from "node:child_process";

/** A process that is kept running: when it ends by itself, it is started again. */
export interface Supervised {
  /** The process id of the moment. */
  pid: () => number | undefined;
  /** Ends the process, so that another one is started. `why` completes the sentence "The web process …". */
  restart: (why: string) => void;
  stop: () => Promise<void>;
}

interface Description {
  name: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** A process that ends sooner than this cannot start, and is tried ever less often. */
const STARTED_AFTER_MS = 2_000;
/** One that lives so long has recovered. */
const RECOVERED_AFTER_MS = 60_000;
const KILL_AFTER_MS = 15_000;

/**
 * How long to wait before the next start of a process that lived `livedMs`, where the wait before its own start was
 * `delayMs`.
 */
export function nextDelay(delayMs: number, livedMs: number): number {
  if (livedMs >= RECOVERED_AFTER_MS) return FIRST_DELAY_MS;
  return livedMs < STARTED_AFTER_MS
    ? Math.min(LONGEST_DELAY_MS, Math.max(FIRST_DELAY_MS, delayMs * 2))
    : Math.max(FIRST_DELAY_MS, delayMs);
}

/**
 * Starts a Node process and starts it again whenever it ends before `stop` is called. Its output goes to stderr. It
 * should call `endWithSupervisor`, so that it does not outlive this process.
 */
export function supervise({ name, args, cwd, env, say }: Description): Supervised {
  let child: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;
  let stopping = false;
  let delay = 0;

  function start(): void {
    const started = performance.now();
    // Out of reach of the terminal's Ctrl-C, so that the order of stopping is ours; the channel tells it when we are
    // gone.
    const spawned = spawn(process.execPath, args, {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", process.stderr, process.stderr, "ipc"],
    });
    child = spawned;
    spawned.once("exit", (code, signal) => ended(`ended (${signal ?? `code ${code}`})`, started));
    // A process that could not be started has no id and does not exit; one that has an id and could not be signalled
    // goes on.
    spawned.on("error", (error) =>
      spawned.pid === undefined ? ended(`could not be started (${error.message})`, started) : undefined,
    );
  }

  function ended(how: string, started: number): void {
    child = undefined;
    if (stopping) return;
    delay = nextDelay(delay, performance.now() - started);
    say(`The ${name} process ${how}; starting it again in ${delay / 1000} s.`);
    restart = setTimeout(start, delay);
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(restart);
    await end(child);
  }

  function endForAnother(why: string): void {
    say(`The ${name} process ${why}; ending it.`);
    void end(child);
  }

  start();
  return { pid: () => child?.pid, restart: endForAnother, stop };
}

async function end(running: ChildProcess | undefined): Promise<void> {
  if (running?.pid === undefined) return;
  const gone = new Promise((done) => running.once("exit", done));
  running.kill("SIGTERM");
  const kill = setTimeout(() => running.kill("SIGKILL"), KILL_AFTER_MS);
  await gone;
  clearTimeout(kill);
}
