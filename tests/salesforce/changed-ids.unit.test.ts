import { expect, test } from "vitest";

import { changedIds } from "@/lib/salesforce/changed-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";

const HOUR_MS = 3_600_000;
const idOf = (number: number) => `0D5M0000000${String(number).padStart(4, "0")}AAA`;

interface Asked {
  start: number;
  end: number;
}

/** A source that answers by the period, and the periods that it was asked for. */
function source(answer: (asked: Asked) => readonly string[]): { client: SalesforceClient; asked: Asked[] } {
  const asked: Asked[] = [];
  const json: SalesforceClient["json"] = async (path, schema) => {
    const { searchParams } = new URL(path, "https://org.example");
    const [start, end] = ["start", "end"].map((name) => Date.parse(searchParams.get(name) ?? ""));
    const period = { start: start ?? NaN, end: end ?? NaN };
    asked.push(period);
    const ids = answer(period);
    return schema.parse({ ids, deletedRecords: ids.map((id) => ({ id })) });
  };
  return { client: { dataPath: "/services/data/v67.0", json } as SalesforceClient, asked };
}

const until = new Date(Math.floor(Date.now() / 60_000) * 60_000);
const period = { since: new Date(until.getTime() - HOUR_MS), until };

test.each(["updated", "deleted"] as const)(
  "ids that were %s are given once each, in ascending order",
  async (change) => {
    const { client, asked } = source(() => [idOf(3), idOf(1), idOf(3), idOf(2)]);
    expect(await changedIds(client, "FeedItem", change, period)).toEqual({ ids: [1, 2, 3].map(idOf), refusal: null });
    expect(asked).toEqual([{ start: period.since.getTime(), end: until.getTime() }]);
  },
);

test("where there are too many to be named, the halves of the period are asked for, and none is left out", async () => {
  const minutes = Array.from({ length: 60 }, (_, minute) => period.since.getTime() + minute * 60_000);
  const { client } = source(({ start, end }) => {
    const found = minutes.flatMap((at, minute) => (at >= start && at < end ? [idOf(minute)] : []));
    if (found.length > 7)
      throw new SalesforceError("source_error", "no", { status: 400, errorCode: "EXCEEDED_ID_LIMIT" });
    return found;
  });
  const all = await changedIds(client, "FeedItem", "updated", period);
  expect(all).toEqual({ ids: minutes.map((_, minute) => idOf(minute)), refusal: null });
  const even = await changedIds(client, "FeedItem", "updated", period, (ids) =>
    ids.filter((id) => Number(id.slice(11, 15)) % 2 === 0),
  );
  expect(even.ids).toHaveLength(30);
});

test("a host that always has too many is asked 63 times, for each part of the period at least once", async () => {
  const middle = until.getTime() - 7 * 24 * HOUR_MS;
  const { client, asked } = source(({ start }) => {
    if (start > middle - HOUR_MS) return [idOf(1)];
    throw new SalesforceError("source_error", "no", { status: 400, errorCode: "EXCEEDED_ID_LIMIT" });
  });
  const { ids, refusal } = await changedIds(client, "FeedItem", "deleted", { since: new Date(0), until });
  expect(asked).toHaveLength(63);
  expect(ids).toEqual([idOf(1)]);
  expect(refusal).toMatchObject({ errorCode: "EXCEEDED_ID_LIMIT" });
});

test.each([0, 1, 2, 3])("a refused quarter, the one with number %i, costs no ids of the others", async (refused) => {
  const quarters = [0, 1, 2, 3].map((quarter) => period.since.getTime() + (quarter * HOUR_MS) / 4);
  const { client } = source(({ start, end }) => {
    const errorCode = end - start > HOUR_MS / 4 ? "EXCEEDED_ID_LIMIT" : "QUERY_TIMEOUT";
    const quarter = quarters.indexOf(start);
    if (errorCode === "EXCEEDED_ID_LIMIT" || quarter === refused)
      throw new SalesforceError("source_error", errorCode, { status: 400, errorCode });
    return [idOf(quarter)];
  });
  const { ids, refusal } = await changedIds(client, "FeedItem", "deleted", period);
  expect(ids).toEqual([0, 1, 2, 3].filter((quarter) => quarter !== refused).map(idOf));
  expect(refusal).toMatchObject({ errorCode: "QUERY_TIMEOUT" });
});

test.each([
  ["INSUFFICIENT_ACCESS", "source_access_denied"],
  ["NOT_FOUND", "source_error"],
  ["INVALID_REPLICATION_DATE", "source_error"],
  ["QUERY_TIMEOUT", "source_error"],
] as const)("a source that refuses with %s does not tell", async (errorCode, code) => {
  const { client } = source(() => {
    throw new SalesforceError(code, "no", { status: errorCode === "NOT_FOUND" ? 404 : 400, errorCode });
  });
  const told = await changedIds(client, "FeedItem", "deleted", period);
  expect(told).toMatchObject({ ids: [], refusal: { errorCode } });
});

test("an outage is thrown, and nothing older than Salesforce knows is asked for", async () => {
  const away = source(() => {
    throw new SalesforceError("source_unreachable", "away", { transient: true });
  });
  await expect(changedIds(away.client, "FeedItem", "updated", period)).rejects.toThrow("away");
  const { client, asked } = source(() => []);
  await changedIds(client, "FeedItem", "updated", { since: new Date(0), until });
  expect(asked[0]?.start).toBeGreaterThan(until.getTime() - 15 * 24 * HOUR_MS);
});
