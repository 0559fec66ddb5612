import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";

import { BASE_URL, PASSWORD } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import { isExhaustive } from "@/tests/support/exhaustive";
import { readFuzzOptions } from "@/tests/support/fuzz-options";
import { signInBrowser } from "@/scripts/demo/obtain-access-token";
import { pool } from "@/tests/support/owner";

import { authorizeFuzz, tryAuthorize } from "@/tests/oauth/fuzz/support/authorize-fuzz";
import { tokenFuzz, type TokenOutcome, tryToken } from "@/tests/oauth/fuzz/support/token-fuzz";
import { makeGrants, makeWorld, mintCodes, type World } from "@/tests/oauth/fuzz/support/world";

/** Half of the requests go to each endpoint. */
const { requests: REQUESTS, seed: SEED } = readFuzzOptions(isExhaustive ? 4_000 : 2_000);
/** So many are in flight at once. */
const BATCH = 40;

let world: World;
let cookie: string;

beforeAll(async () => {
  world = await makeWorld();
  await makeGrants(world);
  cookie = (
    await signInBrowser({ baseUrl: BASE_URL, email: world.email, password: PASSWORD, fetch: send })
  ).cookieHeader();
});

/** Sends batches until there are enough, and says how many of each kind of answer came. A failure names the seed. */
async function sendAll<Fuzz>(
  fuzz: fc.Arbitrary<Fuzz>,
  sendBatch: (batch: Fuzz[]) => Promise<string[]>,
): Promise<Map<string, number>> {
  const kinds = new Map<string, number>();
  const started = performance.now();
  const countBatch = async (batch: Fuzz[]): Promise<void> => {
    for (const kind of await sendBatch(batch)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  };
  const property = fc.asyncProperty(fc.array(fuzz, { minLength: BATCH, maxLength: BATCH }), countBatch);
  await fc.assert(property, { numRuns: Math.ceil(REQUESTS / 2 / BATCH), seed: SEED });
  const total = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  const rate = Math.round(total / ((performance.now() - started) / 1000));
  console.info(
    `FUZZ_SEED=${SEED}: ${total} requests, ${rate} a second; ` +
      [...kinds].map(([kind, count]) => `${kind} ${count}`).join(", "),
  );
  return kinds;
}

async function countOf(sql: string): Promise<number> {
  return (await pool().query<{ count: number }>(`SELECT count(*)::int AS count ${sql}`)).rows[0]?.count ?? -1;
}

test(
  "whatever is asked of the authorization endpoint, it never fails, and redirects to registered URIs alone",
  { timeout: 3_600_000 },
  async () => {
    const kinds = await sendAll(authorizeFuzz, async (batch) => {
      // All of them are one person's, of whom a hundred wait in ten minutes.
      await pool().query("TRUNCATE throttles");
      return Promise.all(batch.map((fuzz) => tryAuthorize(fuzz, world, cookie)));
    });
    expect([...kinds.keys()].toSorted()).toEqual(["consent", "error redirect", "page 400", "sign-in"]);
    expect(
      await countOf(
        `FROM oauth_authorizations a JOIN oauth_clients c ON c.id = a.client_id
          WHERE a.redirect_uri = ANY (c.redirect_uris)`,
      ),
    ).toBe(kinds.get("consent"));
    expect(
      await countOf(
        "FROM oauth_authorizations a JOIN oauth_clients c ON c.id = a.client_id WHERE NOT a.scopes <@ c.scopes",
      ),
    ).toBe(0);
  },
);

test(
  "whatever is asked of the token endpoint, it never fails, and gives a token for a valid code, once",
  { timeout: 3_600_000 },
  async () => {
    const kinds = await sendAll(tokenFuzz, async (batch) => {
      const codes = await mintCodes(world);
      const outcomes = await Promise.all(batch.map((fuzz) => tryToken(fuzz, world, codes)));
      refuseSecondTokens(outcomes);
      return outcomes.map(({ kind }) => kind);
    });
    const refusals = ["invalid_client", "invalid_grant", "invalid_request", "invalid_target", "unsupported_grant_type"];
    expect([...kinds.keys()].toSorted()).toEqual([...refusals, "token"].toSorted());
    expect(await countOf("FROM oauth_tokens")).toBe(kinds.get("token"));
    expect(await countOf("FROM (SELECT 1 FROM oauth_tokens GROUP BY code_id HAVING count(*) > 1) AS twice")).toBe(0);
  },
);

/** Requests of a batch are in flight together, and several may present one code. */
function refuseSecondTokens(outcomes: readonly TokenOutcome[]): void {
  const codes = outcomes.flatMap(({ token }) => (token ? [token.code.code] : []));
  if (new Set(codes).size < codes.length) throw new Error("Two tokens were given for one code.");
}
