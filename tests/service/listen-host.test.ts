import { expect, test } from "vitest";

import { startOwnWeb } from "@/tests/service/setup/own-web";

/** True if another address of this machine answers, which it does only if the service listens on all addresses. */
async function answersElsewhere(baseUrl: string): Promise<boolean> {
  const url = new URL("/api/health/live", baseUrl);
  url.hostname = "127.0.0.2";
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

test("with LISTEN_HOST, no other address of the machine answers", async () => {
  const web = await startOwnWeb({ LISTEN_HOST: "127.0.0.1" });
  try {
    expect(await answersElsewhere(web.baseUrl)).toBe(false);
  } finally {
    await web.stop();
  }
});

test("without LISTEN_HOST, every address answers", async () => {
  const web = await startOwnWeb({ LISTEN_HOST: "" });
  try {
    expect(await answersElsewhere(web.baseUrl)).toBe(true);
  } finally {
    await web.stop();
  }
});
