import { expect, test } from "vitest";

import { Semaphore } from "@/lib/semaphore";

test("a slot that is released twice is free for one more task, not for two", async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire();
  const entered: string[] = [];
  for (const name of ["second", "third"]) void semaphore.acquire().then(() => entered.push(name));
  release();
  release();
  await expect.poll(() => entered).toEqual(["second"]);
  expect(semaphore.waiting).toBe(1);
});
