import { expect, test } from "vitest";

import { errorOfSocket } from "@/lib/salesforce/socket-errors";

test("a port that fetch refuses is told as an address where nothing answers, not as a broken connection", async () => {
  const address = "http://127.0.0.1:1";
  const thrown: unknown = await fetch(address).catch((error: unknown) => error);
  const error = errorOfSocket(thrown, new URL(address));
  expect(error).toMatchObject({ code: "source_unreachable", transient: false });
  expect(error.message).toMatch(/^Nothing answers at 127\.0\.0\.1:1/);
});

test.each([
  ["ENOTFOUND", /^There is no host named acme\.my\.salesforce\.com\. Check the spelling/],
  ["EAI_AGAIN", /^The name acme\.my\.salesforce\.com could not be looked up/],
  ["ECONNREFUSED", /^Nothing answers at acme\.my\.salesforce\.com:8443\./],
])("%s names the host, and its port only where a port can be the cause", (code, sentence) => {
  const thrown = Object.assign(new Error("fetch failed"), { cause: Object.assign(new Error(code), { code }) });
  expect(errorOfSocket(thrown, new URL("https://acme.my.salesforce.com:8443")).message).toMatch(sentence);
});
