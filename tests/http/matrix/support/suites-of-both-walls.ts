import { describe } from "vitest";

/**
 * All that organizations with the same ids, external ids and words must not see or change of each other: lists,
 * records, searches, totals, expansions, batches, deletions, events, webhooks, migrations. What one suite arranges
 * before each of its tests is not arranged for the others.
 */
export function describeIsolation(): void {
  describe("twins", async () => void (await import("@/tests/http/matrix/twins.test")));
  describe("twins' webhooks", async () => void (await import("@/tests/http/matrix/twins-webhooks.test")));
  describe("twins' migrations", async () => void (await import("@/tests/http/matrix/twins-migration.test")));
  describe("settings", async () => void (await import("@/tests/http/matrix/settings.test")));
  describe("export", async () => void (await import("@/tests/http/matrix/export.test")));
  describe("views", async () => void (await import("@/tests/http/matrix/views.test")));
}
