/** A sentence for the person at the terminal: what is wrong and what to do. Printed without a stack. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** Runs a command's main function; ends the process with 0, or with 1 and what went wrong. */
export async function runCommand(main: () => Promise<void>): Promise<never> {
  try {
    await main();
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Fault ? error.message : error);
    process.exit(1);
  }
}
