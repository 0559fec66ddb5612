import { expect, test } from "vitest";

import { ROUTES } from "@/lib/http/openapi/routes";

import { ACTION_ASKS } from "@/tests/http/matrix/support/action-asks";
import { placesTried } from "@/tests/http/matrix/support/ask";
import { MIGRATION_ASKS } from "@/tests/http/matrix/support/migration-asks";
import { hasCursor, placesOf } from "@/tests/http/matrix/support/places";
import { LISTS } from "@/tests/http/matrix/support/lists";
import { RECORD_ASKS } from "@/tests/http/matrix/support/record-asks";
import { SETTINGS_ASKS } from "@/tests/http/matrix/support/settings-asks";
import { WEBHOOK_ASKS } from "@/tests/http/matrix/support/webhook-asks";

const ASKS = [...RECORD_ASKS, ...ACTION_ASKS, ...MIGRATION_ASKS, ...SETTINGS_ASKS, ...WEBHOOK_ASKS];
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test("every input that refers to something of an organization is tried with another organization's", () => {
  const tried = ASKS.flatMap((ask) => placesTried(ask).map((place) => `${ask.route} ${place}`));
  const there = ROUTES.flatMap((route) => placesOf(route).map((place) => `${nameOf(route)} ${place}`));
  expect([...new Set(tried)].toSorted(), "tests/http/matrix/support/*-asks.ts say how each is tried").toEqual(
    there.toSorted(),
  );
  expect(there.length).toBeGreaterThan(300);
});

test("the schemas are read: paths, queries, bodies, items of each kind and values that must be unique", () => {
  const there = ROUTES.flatMap((route) => placesOf(route).map((place) => `${nameOf(route)} ${place}`));
  const known = [
    "PATCH /contacts/{id} {id}",
    "GET /leads ?email",
    "GET /cases ?q",
    "POST /leads/{id}/convert /owner_id",
    "POST /products /sku",
  ];
  const batch = ["0/data/account_id", "1/id", "2/ext_id"].map((place) => `POST /contacts/batch /items/${place}`);
  expect(there).toEqual(expect.arrayContaining([...known, ...batch, "POST /migration/analyze /connection_id"]));
});

test("every list that has a cursor is read with another organization's", () => {
  expect(LISTS.map(({ route }) => route).toSorted(), "tests/http/matrix/support/lists.ts").toEqual(
    ROUTES.filter(hasCursor).map(nameOf).toSorted(),
  );
});
