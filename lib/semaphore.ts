/** Limits how many tasks run at a time. The others wait, first come, first served. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly maxConcurrent: number) {
    this.#free = maxConcurrent;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get isIdle(): boolean {
    return this.#free === this.maxConcurrent;
  }

  /**
   * Waits for a slot and returns the function that releases it; called again, that does nothing. Rejects with the
   * reason of `signal` when that is aborted during the wait.
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release();
      isReleased = true;
    };
  }

  /** Runs `work` when there is a slot. Rejects as {@link acquire} does. */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(enter);
        reject(signal?.reason as Error);
      };
      this.#waiting.add(enter);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

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
