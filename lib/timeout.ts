/**
 * Whether `work` comes to an end in time; it goes on otherwise, and its failure is then nobody's. Throws what it throws
 * in time.
 */
export async function finishesWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const outOfPatience = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  const ended = work.then(() => true);
  return Promise.race([ended, outOfPatience]).finally(() => clearTimeout(timer));
}
