import { isDeepStrictEqual } from "node:util";

import type { Expectation, ExpectedRecord } from "@/tests/service/support/expected/expectation";
import { wordsOf } from "@/tests/service/support/expected/words";
import type { MigratedRecords } from "@/tests/service/support/migrated-records";

/** A source record that the service reports as left out. */
export interface RecordIssue {
  object: string;
  ext_id: string;
  outcome: string;
  code: string;
  reason: string;
}

type Found = MigratedRecords["byExtId"] extends Map<string, infer Value> ? Value : never;

const LONGEST = 300;

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, LONGEST);
}

function differences(where: string, expected: Record<string, unknown>, found: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const differing = [...names].filter(
    (name) => !(name in expected && name in found && isDeepStrictEqual(expected[name], found[name])),
  );
  return differing.map(
    (name) => `${where}${name}: ${shown(expected[name])} was expected, ${shown(found[name])} is there`,
  );
}

/** A link within an object is made as the record is stored, or once all of them are, which raises the version. */
const OWN_KIND = ["parent_account_id", "reports_to_id", "parent_case_id"];

function versionOf(columns: Record<string, unknown>): unknown {
  const isLinked = OWN_KIND.some((name) => typeof columns[name] === "string");
  return isLinked && columns.version === 2 ? 1 : columns.version;
}

function judgeRecord({ resource, record, inWords = [] }: ExpectedRecord, found: Found): string[] {
  const { id: _id, position: _position, resource: actualResource, custom_fields: foundCustom, ...columns } = found;
  const { custom_fields: custom, ...expected } = record;
  const version = versionOf(columns);
  const compared = {
    ...columns,
    version,
    ...Object.fromEntries(inWords.map((name) => [name, wordsOf(String(columns[name]))])),
  };
  return [
    ...(actualResource === resource ? [] : [`resource: ${resource} was expected, it is one of ${actualResource}`]),
    ...differences("", expected, compared),
    ...differences("custom_fields.", custom, foundCustom),
  ];
}

/** The faults of what became of one source record. Empty if there are none. */
export function judge(expectation: Expectation, found: Found | undefined, issue: RecordIssue | undefined): string[] {
  if (!("record" in expectation)) {
    if (found) return [`it is there, though it should be ${expectation.outcome}`];
    const isNamed =
      issue?.outcome === expectation.outcome && expectation.codes.includes(issue.code) && issue.reason.length > 10;
    return isNamed
      ? []
      : [`${expectation.outcome} for ${expectation.codes.join(" or ")} was expected, ${shown(issue)} is said`];
  }
  if (issue) return [`it is named as ${issue.outcome}: ${issue.reason}`];
  return found ? judgeRecord(expectation, found) : ["it is neither there nor named in the errors"];
}
