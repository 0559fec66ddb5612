import { expect, test } from "vitest";

import { execute } from "@/lib/operation";
import { getRecordCounts } from "@/lib/records/record-counts";
import { createContext, insertRecord } from "@/tests/support/factories";

test("each kind of record is counted, those of other organizations are not", async () => {
  const [ours, theirs] = [await createContext(), await createContext()];
  for (const { organizationId } of [ours, ours, theirs]) await insertRecord("accounts", organizationId, {});
  await insertRecord("leads", theirs.organizationId, {});
  expect(await execute(getRecordCounts, ours, {})).toEqual({
    data: [
      { resource: "accounts", records: 2 },
      ...["contacts", "cases", "case_comments", "activities", "leads", "opportunities", "products"].map((resource) => ({
        resource,
        records: 0,
      })),
    ],
  });
});
