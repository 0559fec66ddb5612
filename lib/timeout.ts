/**
 * Whether `work` ends within the time. Otherwise it continues, and its failure is ignored. Throws what `work` throws
 * within the time.
 */
export async function finishesWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  const ended = work.then(() => true);
  return Promise.race([ended, timedOut]).finally(() => clearTimeout(timer));
}
