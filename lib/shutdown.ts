/** Work to do before the process ends, given the running work that may still add to it. */
type ShutdownTask = (work: Promise<unknown>) => Promise<void>;

// Next evaluates modules once per bundle, but a process ends once.
const holder = globalThis as typeof globalThis & { crmShutdownTasks?: Set<ShutdownTask>; crmStopping?: boolean };

/** From now on this process is not ready, so that a load balancer sends its requests elsewhere. */
export function announceStop(): void {
  holder.crmStopping = true;
}

/** Whether this process is about to end. */
export function isStopping(): boolean {
  return holder.crmStopping ?? false;
}

/** Runs `task` when this process is stopped. */
export function onShutdown(task: ShutdownTask): void {
  (holder.crmShutdownTasks ??= new Set()).add(task);
}

/** Runs every shutdown task while `work` finishes. A failure stops none of the others. */
export async function shutDown(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work, ...[...(holder.crmShutdownTasks ?? [])].map((task) => task(work))]);
}
