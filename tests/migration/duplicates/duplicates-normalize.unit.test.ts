import { assert, constantFrom, jsonValue, property, string } from "fast-check";
import { expect, test } from "vitest";

import { keysBy } from "@/lib/migration/duplicates/match-keys";
import { normalize } from "@/lib/migration/duplicates/normalize";

const FORMS = ["email", "phone", "domain", "text", "exact"] as const;

// eslint-disable-next-line vitest/expect-expect
test("normalising never throws, and a normal form is its own normal form", () => {
  assert(
    property(constantFrom(...FORMS), string({ unit: "binary", maxLength: 60 }), (form, value) => {
      const once = normalize(value, form);
      return once === null || normalize(once, form) === once;
    }),
    { numRuns: 3000 },
  );
});

test("any JSON value has a form or none", () => {
  assert(
    property(constantFrom(...FORMS), jsonValue(), constantFrom(undefined, "1", "49", "39"), (form, value, code) => {
      const normal = normalize(value, form, code);
      return normal === null || normal.length > 0;
    }),
    { numRuns: 3000 },
  );
});

test.each([
  [" ADA@Example.COM ", "ada@example.com"],
  ['"Ada, L." <ada@example.com>', "ada@example.com"],
  ["mailto:ada@example.com", "ada@example.com"],
  ["ada@münchen.example", "ada@xn--mnchen-3ya.example"],
  ["ada", null],
  ["ada@", null],
  ["a b@example.com", null],
])("the e-mail address %j is %j", (value, expected) => {
  expect(normalize(value, "email")).toBe(expected);
});

test.each([
  ["+49 (0)30 / 123-456", "49", "+4930123456"],
  ["0049 30 123456", undefined, "+4930123456"],
  ["030 123456", "49", "+4930123456"],
  ["030/12 34 56", undefined, "30123456"],
  ["(415) 555-2671", "1", "+14155552671"],
  ["1-415-555-2671 ext. 12", "1", "+14155552671"],
  ["8 495 123-45-67", "7", "+74951234567"],
  ["06 1234 5678", "39", "+390612345678"],
  ["+44 (0) 20 7946 0958", undefined, "+442079460958"],
  ["000000", "49", null],
  ["12", "49", null],
  ["call me", "49", null],
])("the phone number %j with the code %s is %j", (value, code, expected) => {
  expect(normalize(value, "phone", code)).toBe(expected);
});

test.each([
  ["https://www.Acme.com/de?x=1", "acme.com"],
  ["acme.com:8080", "acme.com"],
  ["ada@acme.com", "acme.com"],
  ["www.büro.example", "xn--bro-hoa.example"],
  ["https://www.linkedin.com/company/acme", null],
  ["n/a", null],
])("the host of %j is %j", (value, expected) => {
  expect(normalize(value, "domain")).toBe(expected);
});

test.each([
  ["  Müller & Söhne, GmbH. ", "muller sohne gmbh"],
  ["Straße", "strasse"],
  ["李 明", "李 明"],
  ["İbrahim ŁUKASIEWICZ", "ibrahim łukasiewicz"],
  ["Ἀθηνᾶ", "αθηνα"],
  ["مُحَمَّد أحمد", "محمد احمد"],
  ["D´Angelo 1️⃣ ❤️", "d angelo 1"],
  ["葛󠄀城", "葛城"],
  ["한글", "한글"],
  ["ｶﾞﾝﾀﾞﾑ", "ガンダム"],
  ["—", null],
])("the text %j is %j", (value, expected) => {
  expect(normalize(value, "text")).toBe(expected);
});

test.each([
  ["Devanagari", ["राम", "रमा", "रीमा", "नाम"]],
  ["Bengali", ["রাম", "রমা"]],
  ["Tamil", ["கண்", "கணி"]],
  ["Thai", ["ดี", "ดู", "มานี", "น้ำ"]],
  ["Japanese", ["ハナコ", "バナコ", "パナコ", "カ", "ガ"]],
  ["Cyrillic", ["Андрей", "Андреи"]],
])("names in %s that differ in their marks are different", (_, names) => {
  expect(new Set(names.map((name) => normalize(name, "text"))).size).toBe(names.length);
});

test("marks that are written with their letter or after it are the same", () => {
  for (const name of ["Андрей", "ガンダム", "한글", "क़लम", "Müller"])
    expect(normalize(name.normalize("NFD"), "text")).toBe(normalize(name.normalize("NFC"), "text"));
});

test("a record has a key per combination of values, and none of a rule of which it lacks a value", () => {
  const keysOf = keysBy("contacts", {
    rules: [
      { match: [{ fields: ["phone", "mobile_phone"] }, { fields: ["last_name"] }] },
      { match: [{ fields: ["email"] }] },
    ],
  });
  const values: Record<string, unknown> = { phone: "030 1234567", mobile_phone: "0170 1234567", last_name: "Öz" };
  expect(keysOf((field) => values[field])).toEqual(["00:301234567\u001foz", "00:1701234567\u001foz"]);
});
