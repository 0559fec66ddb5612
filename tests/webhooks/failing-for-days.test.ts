import { describe, expect, test } from "vitest";

import { createOperation } from "@/lib/records/operations";
import { recordAttempts } from "@/lib/webhooks/sending/record-attempts";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { deliveriesOf, openWebhook, webhookRow } from "@/tests/webhooks/support/own-webhook";

const URL = "https://hooks.example/crm";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * A webhook with deliveries that wait, and what became of attempts at them: at a moment so many milliseconds ago, one
 * of them for the n-th time.
 */
async function connected() {
  const context = await createContext();
  const key = await openWebhook(context, { url: URL });
  const told = async () => {
    await run(createOperation("accounts"), context, NEEDED.accounts);
    return (await deliveriesOf(key)).at(-1)?.event_id ?? "";
  };
  const attempt = (eventId: string, ago: number, error: string | null, tries = 0) => {
    const startedAt = performance.now() - ago;
    const answer = { latencyMs: 1, status: error === null ? 204 : 500, error, headers: {}, body: "", retryAfterMs: 0 };
    return { eventId, url: URL, tries, leasedUntil: new Date(0), attempt: { startedAt, ...answer } };
  };
  const record = (...attempts: ReturnType<typeof attempt>[]) => recordAttempts(key, attempts);
  const since = async () => {
    const { failing_since, active } = await webhookRow(key);
    return {
      active,
      minutesAgo: failing_since === null ? null : Math.round((Date.now() - Number(failing_since)) / MINUTE),
    };
  };
  return { context, key, told, attempt, record, since };
}

describe("an endpoint that nothing has reached for more than five days", () => {
  test("stays on when an event fails at first, though the one before it has failed for good six days ago", async () => {
    const { key, told, attempt, record, since } = await connected();
    const first = await told();
    for (let tries = 0; tries < 8; tries += 1) await record(attempt(first, 0, "It failed.", tries));
    await pool().query("UPDATE webhooks SET failing_since = failing_since - interval '6 days' WHERE id = $1", [
      key.webhookId,
    ]);
    // As many at once as there may be, in an outage of a second.
    const others: string[] = [];
    for (let count = 0; count < 6; count += 1) others.push(await told());
    await record(...others.map((event) => attempt(event, 0, "It failed.")));
    for (let tries = 1; tries < 4; tries += 1) await record(attempt(others[0] ?? "", 0, "It failed.", tries));
    expect(await since()).toEqual({ active: true, minutesAgo: 6 * 24 * 60 });
  });

  test.each([
    ["has been tried five times in vain", 4],
    ["was tried for the last time", 7],
  ])("is switched off when an event %s", async (_what, tries) => {
    const { key, told, attempt, record } = await connected();
    const [first, second] = [await told(), await told()];
    await record(attempt(first, 5.1 * DAY, "It failed."));
    await record(attempt(second, 0, "It failed.", tries));
    expect(await webhookRow(key)).toMatchObject({ active: false, disabled_reason: "failing" });
  });

  test("is not switched off in its first five days of failures, nor after a success in between", async () => {
    const { told, attempt, record, since } = await connected();
    const [first, second, third] = [await told(), await told(), await told()];
    await record(attempt(first, 4.9 * DAY, "It failed."));
    await record(attempt(first, 0, "It failed.", 7));
    expect(await since()).toMatchObject({ active: true });
    await record(attempt(second, 4.8 * DAY, null));
    await record(attempt(third, 0, "It failed.", 7));
    expect(await since()).toMatchObject({ active: true, minutesAgo: 0 });
  });
});

describe("it fails since the first failure that no success has followed:", () => {
  const scenes: [string, steps: [minutesAgo: number, outcome: "ok" | "not"][][], failingFor: number | null][] = [
    ["two failures", [[[30, "not"]], [[20, "not"]]], 30],
    ["failures that come to be known in another order", [[[20, "not"]], [[30, "not"]]], 30],
    ["a failure, then a success", [[[30, "not"]], [[20, "ok"]]], null],
    ["a success that comes to be known after a later failure", [[[20, "not"]], [[30, "ok"]]], 20],
    ["a failure that comes to be known after a later success", [[[20, "ok"]], [[30, "not"]]], null],
    [
      "both at once, the failure last",
      [
        [
          [30, "ok"],
          [20, "not"],
          [10, "not"],
        ],
      ],
      20,
    ],
    [
      "both at once, the success last",
      [
        [
          [30, "not"],
          [20, "ok"],
        ],
      ],
      null,
    ],
    ["a success between two failures, known last", [[[30, "not"]], [[10, "not"]], [[20, "ok"]]], 10],
    ["a failure, a success and a failure", [[[30, "not"]], [[20, "ok"]], [[10, "not"]]], 10],
    [
      "an old success after many failures",
      [
        [
          [50, "not"],
          [40, "not"],
        ],
        [[60, "ok"]],
      ],
      50,
    ],
  ];

  test.each(scenes)("%s", async (_what, steps, failingFor) => {
    const { key, told, attempt, record, since } = await connected();
    for (const step of steps) {
      const attempts = [];
      for (const [ago, outcome] of step)
        attempts.push(attempt(await told(), ago * MINUTE, outcome === "ok" ? null : "It failed."));
      await record(...attempts);
    }
    expect(await since()).toEqual({ active: true, minutesAgo: failingFor });
    const last = (outcome: "ok" | "not") =>
      Math.min(...steps.flat().flatMap(([ago, each]) => (each === outcome ? [ago] : [])));
    const row = await webhookRow(key);
    for (const [column, outcome] of [
      ["last_delivered_at", "ok"],
      ["last_failed_at", "not"],
    ] as const) {
      const ago = row[column] === null ? Infinity : Math.round((Date.now() - Number(row[column])) / MINUTE);
      expect([column, ago]).toEqual([column, last(outcome)]);
    }
  });
});

test("an attempt keeps the address that it was sent to, whatever the webhook's is now", async () => {
  const { key, told, attempt, record } = await connected();
  await record(attempt(await told(), 0, null));
  await pool().query("UPDATE webhooks SET url = 'https://hooks.example/new' WHERE id = $1", [key.webhookId]);
  const { rows } = await pool().query("SELECT url FROM webhook_attempts WHERE webhook_id = $1", [key.webhookId]);
  expect(rows).toEqual([{ url: URL }]);
});
