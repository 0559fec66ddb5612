import { expect, test } from "vitest";

import { endsWithDigits, phoneSuffix } from "@/lib/records/schema/phone-suffix";

test.each([
  ["+49 (0)30 12345678", "3012345678"],
  ["0049 30 12345678", "3012345678"],
  ["030/123 456-78", "3012345678"],
  ["(+49) 30 12345678", "3012345678"],
  ["tel:+493012345678", "3012345678"],
  ["＋４９ ３０ １２３４５６７８", "3012345678"],
  ["+49\u00a030\u201312345678", "3012345678"],
  ["(512) 757-6000", "5127576000"],
  ["+1 512.757.6000", "5127576000"],
  ["1-512-757-6000", "5127576000"],
  ["(512) 757-6000 x123", "5127576000"],
  ["(512) 757-6000 ext. 123", "5127576000"],
  ["+39 06 1234567", "61234567"],
  ["06 1234567", "61234567"],
  ["+7 495 1234567", "4951234567"],
  ["011 49 30 12345678", "3012345678"],
  ["0113 496 0000", "1134960000"],
  ["+353 1 234 5678", "12345678"],
  ["76000", "76000"],
  [" 757-6000 ", "7576000"],
])("%j is looked for by %s", (given, suffix) => {
  expect(phoneSuffix(given)).toBe(suffix);
});

test.each([
  "",
  "Acme",
  "7600",
  "0007600",
  "INV-2026-0815",
  "Acme 757-6000",
  "x76000",
  "+49 30",
  "0".repeat(40),
  "9".repeat(21),
])("%j is looked for by its words alone", (given) => {
  expect(phoneSuffix(given)).toBeNull();
});

test("a number is compared by its digits before an extension", () => {
  expect(endsWithDigits("Office: (512) 757-6000 ext. 42", "7576000")).toBe(true);
  expect(endsWithDigits("(512) 757-6000 x42", "42")).toBe(false);
  expect(endsWithDigits("+49 (0)30 12345678", "3012345678")).toBe(true);
  expect(endsWithDigits("030 123456 / 0172 99999", "30123456")).toBe(true);
  expect(endsWithDigits("030/123456", "30123456")).toBe(true);
});
