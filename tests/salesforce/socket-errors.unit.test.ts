import { expect, test } from "vitest";

import { errorOfSocket } from "@/lib/salesforce/socket-errors";

test("a port that fetch refuses is told as an address where nothing answers, not as a broken connection", async () => {
  const address = "http://127.0.0.1:1";
  const thrown: unknown = await fetch(address).catch((error: unknown) => error);
  const error = errorOfSocket(thrown, new URL(address));
  expect(error).toMatchObject({ code: "source_unreachable", transient: false });
  expect(error.message).toMatch(/^Nothing answers at 127\.0\.0\.1:1/);
});
