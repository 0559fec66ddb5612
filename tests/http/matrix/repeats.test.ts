import { beforeEach, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { claimKey, storeResponse, releaseKey, type RequestDigest } from "@/lib/http/api/idempotency-store";
import { newId } from "@/lib/ids";
import { sha256 } from "@/lib/security/crypto";

import { pool } from "@/tests/support/owner";
import { callRoute } from "@/tests/http/support/call-route";
import { leaksOf, stateOf } from "@/tests/http/matrix/support/kept";
import { createSides, type Side } from "@/tests/http/matrix/support/side";

let ours: Side;
let theirs: Side;

beforeEach(async () => {
  ({ ours, theirs } = await createSides());
});

const BODY = { name: "Alpine Tools" };

function create(side: Side, key: string, body: object = BODY) {
  return callRoute("POST", "/accounts", { ...side.bearer, "idempotency-key": key }, body);
}

const idIn = ({ text }: { text: string }) => (JSON.parse(text) as { id: string }).id;

test("another organization's idempotency key never replays its response: the request is carried out", async () => {
  const first = await create(theirs, "key-1");
  const own = await create(ours, "key-1");
  expect([first.status, own.status, own.headers.get("idempotent-replayed")]).toEqual([201, 201, null]);
  expect(idIn(own)).not.toBe(idIn(first));
  expect(await leaksOf(theirs, own.text)).toEqual([]);
  expect(await create(theirs, "key-1")).toMatchObject({ text: first.text });
  expect(await create(ours, "key-1")).toMatchObject({ text: own.text });
});

test("another organization may use the same idempotency key for another request", async () => {
  await create(theirs, "key-2", { name: "Theirs" });
  expect((await create(ours, "key-2")).status).toBe(201);
});

test("a response is stored, found and released by organization, whatever the digest of its key", async () => {
  const own = await create(ours, "key-3");
  const copy = `
    INSERT INTO idempotency_keys
    SELECT (jsonb_populate_record(k, jsonb_build_object('organization_id', $2::text, 'body', $3::text))).*
    FROM idempotency_keys k WHERE organization_id = $1`;
  await pool().query(copy, [ours.organizationId, theirs.organizationId, theirs.marker]);
  // Whichever of the two comes first in the table.
  for (const side of [ours, theirs]) {
    await pool().query("UPDATE idempotency_keys SET leased_until = leased_until WHERE organization_id = $1", [
      side.organizationId,
    ]);
    const before = await stateOf(theirs);
    expect(await create(ours, "key-3")).toMatchObject({ status: 201, text: own.text });
    expect(await stateOf(theirs)).toEqual(before);
  }
});

test.each([
  [
    "kept",
    (digest: RequestDigest, attempt: string) =>
      storeResponse(digest, attempt, { status: 201, headers: {}, body: "ours" }),
  ],
  ["given free", releaseKey],
])("a key is %s for one organization alone, even if both had the same attempt", async (_, end) => {
  const [attempt, digest] = [newId(), { key: sha256("a key"), body: sha256("a body") }];
  for (const { organizationId } of [theirs, ours]) {
    const claim = () => claimKey({ ...digest, organizationId }, attempt);
    expect(await inOrganization(organizationId, claim)).toEqual({ state: "claimed" });
  }
  const before = [await stateOf(ours), await stateOf(theirs)];
  await inOrganization<unknown>(ours.organizationId, () =>
    end({ ...digest, organizationId: ours.organizationId }, attempt),
  );
  expect(await stateOf(theirs)).toEqual(before[1]);
  expect(await stateOf(ours)).not.toEqual(before[0]);
});
