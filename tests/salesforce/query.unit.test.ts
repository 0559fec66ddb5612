import { describe, expect, test } from "vitest";

import { hasChecksum, to18 } from "@/lib/salesforce/ids";
import { pickVersion } from "@/lib/salesforce/probe";
import { select, soqlDateTime, soqlString } from "@/lib/salesforce/query";
import { retryAfterSeconds } from "@/lib/salesforce/retry";

test("a text cannot end its literal", () => {
  expect(soqlString("O'Neil \\ \"x\"\n' OR Id != ''")).toBe(String.raw`'O\'Neil \\ \"x\"\n\' OR Id != \'\''`);
});

test("a moment is written to the second, without quotes", () => {
  expect(soqlDateTime(new Date("2026-01-02T03:04:05.678Z"))).toBe("2026-01-02T03:04:05Z");
});

describe("a statement", () => {
  test("consists of names and conditions", () => {
    const statement = {
      fields: ["Id", "Owner.Name", "My__c"],
      from: "Case",
      where: ["Id > 'x'", "IsDeleted = false"],
      orderBy: "Id",
      limit: 5,
    };
    expect(select(statement)).toBe(
      "SELECT Id, Owner.Name, My__c FROM Case WHERE Id > 'x' AND IsDeleted = false ORDER BY Id LIMIT 5",
    );
    expect(select({ fields: ["COUNT_DISTINCT(ParentId) parents"], from: "Case" })).toBe(
      "SELECT COUNT_DISTINCT(ParentId) parents FROM Case",
    );
    expect(select({ fields: ["COUNT(Id) total", "Status"], from: "Case", groupBy: ["Status"] })).toBe(
      "SELECT COUNT(Id) total, Status FROM Case GROUP BY Status",
    );
  });

  test.each(["Id FROM User", "(SELECT Id FROM Contacts)", "Name,Password", "", "1st", "a.b.", "Id--"])(
    "takes no field that is %j",
    (field) => {
      expect(() => select({ fields: ["Id", field], from: "Case" })).toThrow(RangeError);
    },
  );

  test("refuses an invalid object name", () => {
    expect(() => select({ fields: ["Id"], from: "Case WHERE Id != null" })).toThrow(RangeError);
  });
});

describe("an id of 15 characters", () => {
  test.each([
    ["00570000001ZwTi", "00570000001ZwTiAAK"],
    ["001A0000006Vm9r", "001A0000006Vm9rIAC"],
    ["000000000000000", "000000000000000AAA"],
  ])("%s becomes %s", (short, long) => {
    expect(to18(short)).toBe(long);
    expect(to18(long)).toBe(long);
  });

  test("is known by its checksum as one that Salesforce has given", () => {
    expect(["001A0000006Vm9rIAC", "001A0000006Vm9r", "ORDER2026110000123"].filter(hasChecksum)).toEqual([
      "001A0000006Vm9rIAC",
    ]);
  });

  test.each(["", "00570000001ZwT", "00570000001ZwTi'A", "00570000001ZwTiAAKA"])("%j is none", (value) => {
    expect(() => to18(value)).toThrow(RangeError);
  });
});

function offer(...versions: string[]): string | null {
  return pickVersion(versions.map((version) => ({ version })));
}

describe("the API version", () => {
  test("is the newest that both sides support, compared as a number", () => {
    expect(offer("9.0", "47.0", "59.0")).toBe("59.0");
    expect(offer("66.0", "67.0", "68.0", "100.0")).toBe("67.0");
  });

  test("is none when the org is too old or too new", () => {
    expect([offer("9.0", "46.0"), offer("68.0")]).toEqual([null, null]);
  });
});

test("a Retry-After is read as seconds or as a date, never as less than nothing", () => {
  expect(retryAfterSeconds("7")).toBe(7);
  expect(retryAfterSeconds(new Date(Date.now() + 10_500).toUTCString())).toBeGreaterThan(8);
  expect(retryAfterSeconds("Wed, 21 Oct 2015 07:28:00 GMT")).toBe(0);
  expect([retryAfterSeconds(null), retryAfterSeconds("soon")]).toEqual([undefined, undefined]);
});
