/** What has to be done before a process ends, given the work that may still ask for more of it. */
type ShutdownTask = (work: Promise<unknown>) => Promise<void>;

// Next evaluates modules once per bundle; a process ends once.
const holder = globalThis as typeof globalThis & { crmEndings?: Set<ShutdownTask> };

/** Has `end` done when this process is told to stop. */
export function onShutdown(end: ShutdownTask): void {
  (holder.crmEndings ??= new Set()).add(end);
}

/**
 * Does everything that has to be done before this process ends, beside the `work` that is under way in it. What fails
 * keeps nothing else from ending.
 */
export async function shutDown(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work, ...[...(holder.crmEndings ?? [])].map((end) => end(work))]);
}
