import { expect, test } from "vitest";

import { onResponseSent, responseSent, trackResponse } from "@/lib/http/request";
import { newId } from "@/lib/ids";

test("work waits until the response has been sent, and is done at once if that is not tracked", () => {
  const done: string[] = [];
  const id = newId();
  trackResponse(id);
  onResponseSent(id, () => done.push("sent"));
  onResponseSent(newId(), () => done.push("at once"));
  expect(done).toEqual(["at once"]);
  responseSent(id);
  onResponseSent(id, () => done.push("gone already"));
  expect(done).toEqual(["at once", "sent", "gone already"]);
});
