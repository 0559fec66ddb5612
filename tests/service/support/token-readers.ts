interface Reading {
  /** Whether the request was begun after the answer that said "revoked" had arrived. */
  begunAfter: boolean;
  status: number;
}

/** Each reader makes at least so many requests before, and as many after. */
const REQUESTS_EACH = 10;

/** What concurrent readers saw on both sides of a revocation. */
export interface Sightings {
  /** Requests that had their answer before the revocation was asked for. */
  before: number[];
  /** Requests that were begun after its answer had arrived. */
  after: number[];
}

/**
 * Reads in a tight loop with one reader per token while `revoke` is carried out, and gives the statuses before and
 * after. A request is "after" when it is begun once `revoke` has resolved; what was under way meanwhile may have either
 * answer and is left out.
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
