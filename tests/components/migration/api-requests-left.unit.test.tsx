import { expect, test } from "vitest";

import { NeedsFacts } from "@/components/migration/needs-facts";
import { Readiness } from "@/components/migration/report/readiness";
import { Timeline } from "@/components/migration/report/timeline";
import type { Report } from "@/lib/migration/report/report-schema";
import { markupOf } from "@/tests/components/support/app-router";

const ANALYZED = "2026-11-20T08:00:00.000Z";

const estimate = {
  records: 9,
  imported: 9,
  seconds: 1,
  api_calls: 120,
  api_calls_remaining: 100,
  timeline: [{ object: "Account", records: 9, starts_after_seconds: 0, seconds: 1 }],
};

function report(remaining: number | null, verdict = "not_today"): Report {
  return {
    generated_at: ANALYZED,
    org: { api_version: "67.0", is_sandbox: null },
    analyzed_as: { username: null },
    inventory: [],
    readiness: { score: 90, verdict: "ready", reasons: [] },
    estimate: { ...estimate, api_calls_remaining: remaining, budget: { least: 120, verdict } },
  } as unknown as Report;
}

const needs = (remaining: number | null) =>
  markupOf(<NeedsFacts report={report(remaining)} needs={{ records: 9, seconds: 1, requests: 120 }} />);

test("what an org had left is told with the moment of its analysis", () => {
  expect(needs(100)).toMatch(
    /Left when the org was analyzed.*100(?:<!-- -->)? on (?:<!-- -->)?<time dateTime="2026-11-20T08:00:00.000Z">/s,
  );
  expect(needs(100)).toContain("had too few API requests left when it was analyzed");
  expect(needs(null)).toContain("not known");
});

test.each(["enough", "enough_with_bulk", "not_today"])("a report speaks of no present of it: %s", (verdict) => {
  const words = [
    markupOf(<Readiness report={report(100, verdict)} hasRun={false} />),
    markupOf(<Timeline estimate={report(100, verdict).estimate} />),
  ];
  expect(words[0]).toContain("120 of 100 left when the org was analyzed");
  expect(words[1]).toContain("left when it was analyzed");
  expect(words.join()).not.toContain("today");
});
