import { afterEach, expect, test } from "vitest";

import { countInFlight, shareOf } from "@/lib/webhooks/sending/dispatcher";

const MEGABYTE = 1024 * 1024;

const taken: Parameters<typeof countInFlight>[] = [];

/** Takes what a webhook of the organization may have, and one delivery if that is nothing. */
function take(organization: string): number {
  const deliveries = Math.min(64, 1 + Math.max(0, shareOf(organization, "deliveries")));
  const bytes = Math.max(1, shareOf(organization, "bytes"));
  countInFlight(organization, deliveries, bytes);
  taken.push([organization, -deliveries, -bytes]);
  return deliveries;
}

afterEach(() => {
  for (const each of taken.splice(0)) countInFlight(...each);
});

test("one webhook alone may have an eighth of all", () => {
  expect([shareOf("a", "deliveries"), shareOf("a", "bytes")]).toEqual([256, 8 * MEGABYTE]);
});

test("an organization with many slow endpoints leaves others half; before, it took nearly all", () => {
  const ofFifty = Array.from({ length: 50 }, () => take("a"));
  expect(ofFifty.slice(0, 15)).toEqual(Array(15).fill(64));
  expect(Math.min(...ofFifty)).toBe(1);
  expect(ofFifty.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1024 + 50);
  expect(shareOf("a", "deliveries")).toBeLessThanOrEqual(0);
  expect(shareOf("b", "deliveries")).toBeGreaterThan(64);
  expect(shareOf("b", "bytes")).toBeGreaterThan(3 * MEGABYTE);
});

test("what has ended is free again", () => {
  for (let webhook = 0; webhook < 30; webhook += 1) take("a");
  for (const each of taken.splice(0)) countInFlight(...each);
  expect([shareOf("a", "deliveries"), shareOf("b", "bytes")]).toEqual([256, 8 * MEGABYTE]);
});
