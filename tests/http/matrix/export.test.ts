import { expect, test } from "vitest";

import { exported, linesOf } from "@/tests/settings/support/exported";
import { leaksOf } from "@/tests/http/matrix/support/kept";
import { populate } from "@/tests/http/matrix/support/populated";
import { createSides } from "@/tests/http/matrix/support/side";

test("an export has what is in every list of its organization, and nothing of another one", async () => {
  const { ours, theirs } = await createSides();
  await populate([ours, theirs]);
  const files = await exported({ ...ours.context, clientId: null });
  const text = [...files].map(([name, content]) => `${name}\n${content.toString()}`).join("\n");
  expect(await leaksOf(theirs, text)).toEqual([]);
  const empty = [...files.keys()].filter((name) => name.endsWith(".ndjson") && linesOf(files, name).length === 0);
  expect(empty.toSorted()).toEqual(EMPTY);
  const contents = [...files].filter(([name]) => name.startsWith("files/"));
  expect(contents.map(([, content]) => content.toString())).toEqual(Array(3).fill("oursqx content"));
});

/** What is populated has none of these. */
const EMPTY = [
  "ext_aliases",
  "migration_changes",
  "migration_files",
  "migration_proofs",
  "migration_undo_steps",
  "saved_views",
].map((name) => `${name}.ndjson`);
