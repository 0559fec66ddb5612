/** Limits how many tasks run at a time. The others wait, first come, first served. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** `onIdle` is called when the last slot in use is released. */
  constructor(
    private readonly maxConcurrent: number,
    private readonly onIdle?: () => void,
  ) {
    this.#free = maxConcurrent;
  }

  get waiting(): number {
    return this.#waiting.size;
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
      if (this.#free === this.maxConcurrent) this.onIdle?.();
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** A semaphore for each key, such as an organization. Those that nobody uses take no memory. */
export class KeyedSemaphore {
  readonly #byKey = new Map<string, Semaphore>();

  constructor(private readonly maxConcurrent: number) {}

  /** The semaphore of a key, to be acquired at once: it is another one after its last slot was released. */
  of(key: string): Semaphore {
    const known = this.#byKey.get(key);
    if (known) return known;
    const semaphore = new Semaphore(this.maxConcurrent, () => this.#byKey.delete(key));
    this.#byKey.set(key, semaphore);
    return semaphore;
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

/** What `work` resolves with, or `otherwise` if it fails or takes longer. */
export async function inTime<T>(milliseconds: number, work: Promise<T>, otherwise: T): Promise<T> {
  const answer = work.catch(() => otherwise);
  return (await finishesWithin(milliseconds, answer)) ? answer : otherwise;
}
