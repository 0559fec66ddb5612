import { expect, test } from "vitest";

import { mostIsolated } from "@/inngest/engine/isolate";

test.each([
  { megabytes: 512, jobs: 1 },
  { megabytes: 768, jobs: 1 },
  { megabytes: 1152, jobs: 2 },
  { megabytes: 2048, jobs: 4 },
  { megabytes: 65_536, jobs: 4 },
])("$megabytes MB have room for $jobs jobs in processes of their own", ({ megabytes, jobs }) => {
  expect(mostIsolated(megabytes * 2 ** 20)).toBe(jobs);
});
