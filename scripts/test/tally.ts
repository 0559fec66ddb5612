import { readFile } from "node:fs/promises";

/** Counts of one run, whatever ran it. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numFailedTestSuites: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** Reads Vitest's JSON report. */
export async function tallyVitest(file: string): Promise<Tally> {
  const report = JSON.parse(await readFile(file, "utf8")) as VitestReport;
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
}

/** Reads Playwright's JSON report. A test that passed only when retried counts as failed. */
export async function tallyPlaywright(file: string): Promise<Tally> {
  const { stats } = JSON.parse(await readFile(file, "utf8")) as PlaywrightReport;
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}
