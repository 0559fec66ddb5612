import { readFile } from "node:fs/promises";
import { relative } from "node:path";

/** Counts of one run, whatever ran it, and what failed in it. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  failures: readonly Failure[];
  /** Failed at first and passed when tried again: counted as passed, told with what they said at first. */
  flaky: readonly Failure[];
}

/** A test that failed: where it stands and what it is called, and the beginning of what it said. */
interface Failure {
  test: string;
  message: string;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string; failureMessages?: string[] }[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    file: string;
    tests: { projectName: string; status: string; results: { error?: { message?: string } }[] }[];
  }[];
}

/** Lines of a failure's message that are told again at the end of the run. */
const MESSAGE_LINES = 12;

/** Reads Vitest's JSON report. */
export async function tallyVitest(file: string): Promise<Tally> {
  const report = JSON.parse(await readFile(file, "utf8")) as VitestReport;
  // A test that passed when tried again keeps the messages of its first try.
  const failed = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ failureMessages }) => failureMessages?.length)
      .map(({ fullName, status, failureMessages }) => ({
        status,
        ...failure(`${relative(process.cwd(), name)} › ${fullName}`, failureMessages?.[0]),
      })),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
    failures: failed.filter(({ status }) => status === "failed"),
    flaky: failed.filter(({ status }) => status === "passed"),
  };
}

/** Reads Playwright's JSON report. */
export async function tallyPlaywright(file: string): Promise<Tally> {
  const { stats, suites } = JSON.parse(await readFile(file, "utf8")) as PlaywrightReport;
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: suites.flatMap((suite) => withStatus(suite, "unexpected")),
    flaky: suites.flatMap((suite) => withStatus(suite, "flaky")),
  };
}

export function add(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
    flaky: [...a.flaky, ...b.flaky],
  };
}

function withStatus({ suites = [], specs }: PlaywrightSuite, wanted: "unexpected" | "flaky"): Failure[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ projectName, results }) =>
        failure(`[${projectName}] ${file} › ${title}`, results.find(({ error }) => error)?.error?.message),
      ),
  );
  return [...own, ...suites.flatMap((suite) => withStatus(suite, wanted))];
}

function failure(test: string, message = "(without a message)"): Failure {
  return { test, message: message.split("\n").slice(0, MESSAGE_LINES).join("\n") };
}
