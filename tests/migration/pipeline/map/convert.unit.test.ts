import { expect, test } from "vitest";

import { cleanJson, cleanText } from "@/lib/migration/objects/declaration";
import { CONVERSIONS, parseMoment } from "@/lib/migration/pipeline/map/convert";

test("dates that the calendar does not have are refused", () => {
  expect(CONVERSIONS.date("2024-02-29")).toEqual({ value: "2024-02-29", exact: true });
  for (const value of ["2023-02-29", "2023-13-01", "0000-01-01", "yesterday", "", 20240101, null])
    expect(CONVERSIONS.date(value)).toBeNull();
});

test("a moment gives its day, marked as inexact", () => {
  expect(CONVERSIONS.date("2024-07-24T14:05:58.000+0000")).toEqual({ value: "2024-07-24", exact: false });
});

test("moments are read in every form that Salesforce writes, and in no other", () => {
  const noon = Date.parse("2024-07-24T12:00:00Z");
  for (const value of [
    "2024-07-24T12:00:00.000+0000",
    "2024-07-24T12:00:00Z",
    "2024-07-24T14:00:00+02:00",
    "2024-07-24T07:00:00.000-0500",
  ])
    expect(parseMoment(value)).toBe(noon);
  for (const value of [
    "2024-07-24",
    "2024-02-30T12:00:00Z",
    "2024-07-24T25:00:00Z",
    "2024-07-24 12:00:00",
    0,
    undefined,
  ])
    expect(parseMoment(value)).toBeNull();
});

test("amounts are exact to the cent; rounding is marked, and too large ones are refused", () => {
  expect(CONVERSIONS.money(1_250_000)).toEqual({ value: 1_250_000, exact: true });
  expect(CONVERSIONS.money("12.50")).toEqual({ value: 12.5, exact: true });
  expect(CONVERSIONS.money(0.125)).toEqual({ value: 0.13, exact: false });
  for (const value of [1e16, -1e17, Number.NaN, "12,50", true]) expect(CONVERSIONS.money(value)).toBeNull();
});

test("integers beyond 32 bits are refused; rounded fractions are marked", () => {
  expect(CONVERSIONS.integer(2_147_483_647)).toEqual({ value: 2_147_483_647, exact: true });
  expect(CONVERSIONS.integer(2_147_483_648)).toBeNull();
  expect(CONVERSIONS.integer(12.4)).toEqual({ value: 12, exact: false });
});

test("text keeps every character except NUL and lone surrogates", () => {
  expect(cleanText("a\0b")).toBe("ab");
  expect(cleanText("x\ud800y")).toBe("x\u{fffd}y");
  expect(cleanText("Zoë 🦊 \u202e\u0001")).toBe("Zoë 🦊 \u202e\u0001");
  expect(cleanJson({ list: ["a\0", { "k\0": "\udc00" }], n: 1, none: null })).toEqual({
    list: ["a", { k: "\u{fffd}" }],
    n: 1,
    none: null,
  });
});
