import { constants } from "node:os";

/** A sentence for the person at the terminal: what is wrong and what to do. Printed without a stack. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** A signal ended the command before it had done its work. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super("Stopped.");
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Runs a command's main function; ends the process with 0, with 1 and what went wrong, or with the exit code of the
 * signal that cut it short.
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
