import { expect, test } from "vitest";

import { source } from "@/tests/migration/support/delta";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { type ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

const OBJECTS = ["Case", "FeedItem", "FeedComment"];

function post(number: number, fields: object = {}): Record<string, unknown> {
  return sourceRecord("0D5", number, { ParentId: sourceId("500", 1), Body: `Post ${number}`, ...fields });
}

/** An org with three posts, where something happens to the second when all were read, before they are counted again. */
function orgWhereOnce(act: (post: Record<string, unknown>) => void, before: object = {}): ScriptedSource {
  const org = source();
  org.records.FeedItem = [post(1), post(2, before), post(3)];
  let counts = 0;
  org.beforeQuery = (soql) => {
    if (!soql.startsWith("SELECT COUNT() FROM FeedItem")) return;
    counts += 1;
    const [, second] = org.records.FeedItem ?? [];
    if (counts === 2 && second) act(second);
  };
  return org;
}

/** Salesforce names changes by the minute, so those of the present one are not named yet. */
const JUST_NOW = `${new Date(Date.now() - 60_000).toISOString().slice(0, 19)}.000+0000`;

test("a post that is deleted after it was read, and so in no count any more, does not fail the run", async () => {
  const org = orgWhereOnce((post) => Object.assign(post, { IsDeleted: true, SystemModstamp: JUST_NOW }));
  const key = await createMigration(OBJECTS);
  const finished = await runMigration(key, org);
  expect(finished).toMatchObject({ status: "completed", lines: { FeedItem: { source: 3, created: 3 } } });
});

test("a post that is restored behind the checkpoint, which no query finds, is stored, too", async () => {
  const org = orgWhereOnce((post) => Object.assign(post, { IsDeleted: false, SystemModstamp: JUST_NOW }), {
    IsDeleted: true,
  });
  const key = await createMigration(OBJECTS);
  const finished = await runMigration(key, org);
  expect(finished).toMatchObject({ status: "completed", lines: { FeedItem: { source: 3, created: 3 } } });
  expect(Object.keys(await recordsOf("case_comments", key.organizationId))).toHaveLength(3);
});
