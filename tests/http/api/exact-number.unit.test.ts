import * as fc from "fast-check";
import { expect, test } from "vitest";

import { isExactNumber } from "@/lib/http/api/json-body";

test("every double is exact, however a program writes it out", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const literals = [JSON.stringify(number), number.toPrecision(17), number.toExponential()];
      expect(literals.filter((literal) => !isExactNumber(literal))).toEqual([]);
    }),
  );
});

test.each(["-0", "0.0", "1.50", "100.00", "0e5", "1E+2", "9007199254740994", "123456789012345680000"])(
  "%s is exact",
  (literal) => {
    expect(isExactNumber(literal)).toBe(true);
  },
);

test.each([
  "9007199254740993",
  "12345678901234567890",
  "0.1234567890123456789",
  "100.00000000000000000001",
  "1e400",
  "1e-400",
])("%s would be rounded", (literal) => expect(isExactNumber(literal)).toBe(false));
