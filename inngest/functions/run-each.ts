interface Step {
  run(id: string, work: () => Promise<unknown>): Promise<unknown>;
}

/** Runs every step by its id, one after another. What fails keeps none of those behind it; the first failure is thrown at the end. */
export async function runEach(step: Step, steps: Record<string, () => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = [];
  for (const [id, work] of Object.entries(steps)) await step.run(id, work).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
