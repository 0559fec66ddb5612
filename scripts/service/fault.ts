import { constants } from "node:os";

/** An error for the person at the terminal: what is wrong and how to fix it. Printed without a stack. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/**
 * The exit code of web and worker if they refuse to start with their settings or their database, and of every program
 * on too old a Node (EX_CONFIG of sysexits.h). Starting them again does not mend it.
 */
export const REFUSAL_EXIT_CODE = 78;

/** The programs are compiled for it (`scripts/compile.mjs`). */
export const MIN_NODE_MAJOR = 24;

/** An older Node fails with a stack as soon as a package uses what it lacks, and web only at some requests. */
export function refuseOldNode(): void {
  if (Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR) return;
  console.error(`This is Node ${process.versions.node}, and Node ${MIN_NODE_MAJOR} or newer is needed.`);
  process.exit(REFUSAL_EXIT_CODE);
}

/** A signal ended the command before it was done. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super("Stopped.");
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Runs a command's main function and exits with 0, with 1 and an error message, or with the exit code of the signal
 * that interrupted it.
 */
export async function runCommand(main: () => Promise<void>): Promise<never> {
  refuseOldNode();
  try {
    await main();
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Fault || error instanceof Stopped ? error.message : error);
    process.exit(error instanceof Stopped ? error.exitCode : 1);
  }
}
