/** Work to do before the process ends, given the running work that may still add to it. */
type ShutdownTask = (work: Promise<unknown>) => Promise<void>;

// Next evaluates modules once per bundle, but a process ends once.
const holder = globalThis as typeof globalThis & { crmEndings?: Set<ShutdownTask> };

/** Runs `task` when this process is stopped. */
export function onShutdown(task: ShutdownTask): void {
  (holder.crmEndings ??= new Set()).add(task);
}

/** Runs every shutdown task while `work` finishes. A failure stops none of the others. */
export async function shutDown(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work, ...[...(holder.crmEndings ?? [])].map((task) => task(work))]);
}
