import { constants } from "node:os";

/** An error for the person at the terminal: what is wrong and how to fix it. Printed without a stack. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/**
 * The exit code of web and worker if they refuse to start with their settings or their database (EX_CONFIG of
 * sysexits.h). Starting them again does not mend it.
 */
export const REFUSAL_EXIT_CODE = 78;

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
  try {
    await main();
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Fault || error instanceof Stopped ? error.message : error);
    process.exit(error instanceof Stopped ? error.exitCode : 1);
  }
}
