import type { z } from "zod";

import type { Fault } from "@/lib/errors";
import type { FaultCode } from "@/lib/fault-codes";

type Issue = z.core.$ZodIssue;

/** What clients are told, which must not change with the library that found it. */
const CODES: { [Code in Issue["code"]]: FaultCode | ((issue: Extract<Issue, { code: Code }>) => FaultCode) } = {
  invalid_type: ({ expected }) => (expected === "never" ? "invalid_value" : "invalid_type"),
  too_small: ({ origin }) => (hasLength(origin) ? "too_short" : "out_of_range"),
  too_big: ({ origin }) => (hasLength(origin) ? "too_long" : "out_of_range"),
  invalid_format: "invalid_format",
  invalid_value: "invalid_value",
  invalid_union: "invalid_value",
  not_multiple_of: "invalid_value",
  unrecognized_keys: "unknown_field",
  invalid_key: ({ issues: [issue] }) => (issue ? codeOf(issue) : "invalid_value"),
  invalid_element: "invalid_value",
  custom: "invalid_value",
};

/** The code of a fault. A schema gives one of its own by `refine(…, { params: { code } })`; what is not there at all is `required`. */
export function faultCode(issue: Issue, value: unknown): Fault["code"] {
  if (issue.code === "custom") return (issue.params?.code as Fault["code"] | undefined) ?? "invalid_value";
  return value === undefined ? "required" : codeOf(issue);
}

function codeOf(issue: Issue): FaultCode {
  const code = CODES[issue.code];
  return typeof code === "string" ? code : (code as (issue: Issue) => FaultCode)(issue);
}

function hasLength(origin: string): boolean {
  return origin !== "number" && origin !== "int" && origin !== "bigint" && origin !== "date";
}
