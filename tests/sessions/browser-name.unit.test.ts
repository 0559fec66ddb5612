import { expect, test } from "vitest";

import { browserName } from "@/lib/sessions/browser-sessions/session-store";

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";

test.each([
  [`${WINDOWS} Gecko/20100101 Firefox/145.0`, "Firefox on Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  [`${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, "Edge on Windows"],
  [`${MAC}/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`, "Safari on macOS"],
  [`${MAC}/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0`, "Opera on macOS"],
  [
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "Chrome on ChromeOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 " +
      "Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 " +
      "Mobile/15E148 Safari/604.1",
    "Chrome on iPad",
  ],
  ["curl/8.14.1", "Unknown browser"],
  ["", "Unknown browser"],
  [null, "Unknown browser"],
])("%s is called %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

test("the text of a User-Agent is not stored, and not read to its end", () => {
  expect(browserName("<script>alert(1)</script> Firefox/1 \u202eon Linux")).toBe("Firefox on Linux");
  expect(browserName(`${"x".repeat(1_000_000)} Firefox/145.0`)).toBe("Unknown browser");
});
