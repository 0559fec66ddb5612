import { expect, test } from "vitest";

import { clientName } from "@/lib/oauth/client-fields";

test.each(["Reporting", "Büro & Söhne <3", "営業レポート", "تقارير", "می‌خواهم", "👩‍💻 Desk"])("%j may be a client's name", (name) => {
  expect(clientName.safeParse(name).success).toBe(true);
});

test.each([
  ["a line feed", "Sales\nforce"],
  ["a NUL", "Sales\u0000force"],
  ["a line separator", "Sales\u2028force"],
  ["an override of the direction", "\u202Eecrofselas"],
  ["an isolate", "Sales\u2066force"],
  ["nothing that is seen", "\u200b\u200b"],
  ["a tag", "Sales\u{e0041}force"],
])("a client's name with %s is refused", (_, name) => {
  expect(clientName.safeParse(name).success).toBe(false);
});
