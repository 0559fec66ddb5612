import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { Fault } from "@/scripts/service/fault";
import { ROOT } from "@/scripts/service/root";

export interface PreparedDatabase {
  /** The migrations that were applied. */
  applied: string[];
  /** The address with which web and worker connect. */
  runtimeUrl: string;
  /** How to create the organization while there is none. */
  invitation: string | null;
}

type Answer = PreparedDatabase | { error: string; isFault: boolean };

interface Options {
  /** Ends it. */
  stopSignal: AbortSignal | undefined;
  /** Takes the database for the given secrets, though it was used with others. */
  forgetsSecrets: boolean;
}

/** Says the second of these options to the process. */
export const FORGET_SECRETS = "--forget";

/**
 * Runs `scripts/prepare-database.ts` with these settings in a process of its own. Throws Fault for what a person can
 * mend, and an Error for anything else.
 */
export async function prepareInProcess(
  settings: Record<string, string>,
  { stopSignal, forgetsSecrets }: Options,
): Promise<PreparedDatabase> {
  const child = fork(join(ROOT, "dist/prepare-database.js"), forgetsSecrets ? [FORGET_SECRETS] : [], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    execArgv: [],
    stdio: ["ignore", process.stderr, process.stderr, "ipc"],
    ...(stopSignal && { signal: stopSignal }),
  });
  // An abort is reported by this event as well as by the exit.
  child.on("error", () => undefined);
  let answer: Answer | undefined;
  child.once("message", (message) => (answer = message as Answer));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  stopSignal?.throwIfAborted();
  if (!answer)
    throw new Fault(`The preparation of the database ended (${signal ?? `code ${code}`}). Its messages say why.`);
  if ("error" in answer) throw answer.isFault ? new Fault(answer.error) : new Error(answer.error);
  return answer;
}
