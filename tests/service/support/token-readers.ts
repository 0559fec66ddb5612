interface Reading {
  /** Whether the request was sent after the revocation was answered. */
  begunAfter: boolean;
  status: number;
}

/** Each reader sends at least this many requests before, and as many after. */
const REQUESTS_EACH = 10;

/** The statuses that concurrent readers got before and after a revocation. */
export interface Sightings {
  /** Statuses of requests that were answered before the revocation was requested. */
  before: number[];
  /** Statuses of requests that were sent after the revocation was answered. */
  after: number[];
}

/**
 * Reads in a tight loop with one reader per token while `revoke` runs, and returns the statuses before and after.
 * Requests in flight meanwhile may have either answer and are left out.
 */
export async function readWhile(url: URL, tokens: readonly string[], revoke: () => Promise<void>): Promise<Sightings> {
  let phase: "before" | "revoking" | "after" = "before";
  const sightings: Sightings = { before: [], after: [] };
  const warm = Promise.withResolvers<void>();
  let stillCold = tokens.length;

  async function read(token: string): Promise<Reading> {
    const begunAfter = phase === "after";
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return { begunAfter, status: response.status };
  }

  async function keepReading(token: string): Promise<void> {
    for (let [before, after] = [0, 0]; after < REQUESTS_EACH;) {
      const { begunAfter, status } = await read(token);
      if (begunAfter) {
        sightings.after.push(status);
        after += 1;
      } else if (phase === "before") {
        sightings.before.push(status);
        before += 1;
        if (before === REQUESTS_EACH && --stillCold === 0) warm.resolve();
      }
    }
  }

  const readers = Promise.all(tokens.map(keepReading));
  await Promise.race([warm.promise, readers]);
  phase = "revoking";
  await revoke();
  phase = "after";
  await readers;
  return sightings;
}
