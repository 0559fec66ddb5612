import { expect, test } from "vitest";

import { KeyedSemaphore, Semaphore } from "@/lib/semaphore";

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

test("tasks of one key wait for each other, and a key that nobody uses is deleted", async () => {
  const semaphores = new KeyedSemaphore(1);
  const own = semaphores.of("one");
  const release = await own.acquire();
  const next = own.acquire();
  (await semaphores.of("other").acquire())();
  release();
  expect(semaphores.of("one")).toBe(own);
  (await next)();
  expect(semaphores.of("one")).not.toBe(own);
});
