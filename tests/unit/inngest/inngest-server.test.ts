import { expect, test } from "vitest";

import { namesInngestServer } from "@/lib/inngest-server";

test.each([
  [{ INNGEST_DEV: "1" }],
  [{ INNGEST_DEV: "http://localhost:8288" }],
  [{ INNGEST_BASE_URL: "https://inngest.example" }],
  [{ INNGEST_EVENT_KEY: "key" }],
  [{ INNGEST_DEV: "0", INNGEST_SIGNING_KEY: "key" }],
])("%o names an Inngest server", (settings) => expect(namesInngestServer(settings)).toBe(true));

test.each([[{}], [{ INNGEST_DEV: "0" }], [{ INNGEST_DEV: "false" }], [{ INNGEST_DEV: "", INNGEST_EVENT_KEY: "" }]])(
  "%o leaves jobs to the embedded engine",
  (settings) => expect(namesInngestServer(settings)).toBe(false),
);
