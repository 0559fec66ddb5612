import { expect, test } from "vitest";

import { digestOf } from "@/lib/migration/pipeline/map/source-digest";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import { sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

const [OWNER, OTHER] = [sourceId("005", 1), sourceId("005", 2)];

/** The digest of a record of OWNER, where one person has another name or member than the others. */
function digestWhere(person: string, { name = null, member = null }: { name?: string | null; member?: string | null }) {
  const people = {
    ...NOBODY,
    nameOf: (id: string) => (id === person ? name : null),
    ownerOf: (id: string) => ({ member: id === person ? member : null, isSame: false }),
  };
  return digestOf(sourceRecord("001", 1, { Name: "Pumps", OwnerId: OWNER }), people, "00").digest;
}

test("a digest changes with what is known of the people whom its record names, and of no others", () => {
  const before = digestWhere(OWNER, {});
  expect(digestWhere(OWNER, { name: "Olive" })).not.toBe(before);
  expect(digestWhere(OWNER, { member: "0190" })).not.toBe(before);
  expect(digestWhere(OTHER, { name: "Olive", member: "0190" })).toBe(before);
});
