import { type ChildProcess, spawn } from "node:child_process";

/** A process that is kept running: when it ends by itself, it is started again. */
export interface Supervised {
  /** The process id of the moment. */
  pid: () => number | undefined;
  stop: () => Promise<void>;
}

interface Description {
  name: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
}

const RESTART_AFTER_MS = 500;
const KILL_AFTER_MS = 15_000;

/** Starts a Node process and starts it again whenever it ends before `stop` is called. Its output goes to stderr. */
export function supervise({ name, args, cwd, env, say }: Description): Supervised {
  let child: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;
  let stopping = false;

  function start(): void {
    child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", process.stderr, process.stderr] });
    child.once("exit", (code, signal) => {
      child = undefined;
      if (stopping) return;
      say(`The ${name} process ended (${signal ?? `code ${code}`}); starting it again.`);
      restart = setTimeout(start, RESTART_AFTER_MS);
    });
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(restart);
    const running = child;
    if (!running) return;
    const ended = new Promise((done) => running.once("exit", done));
    running.kill("SIGTERM");
    const kill = setTimeout(() => running.kill("SIGKILL"), KILL_AFTER_MS);
    await ended;
    clearTimeout(kill);
  }

  start();
  return { pid: () => child?.pid, stop };
}
