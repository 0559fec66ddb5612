import { readFile } from "node:fs/promises";
import { relative } from "node:path";

/** The results of one run of any test runner. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  failures: readonly Failure[];
  /** Tests that failed first and passed when tried again, with their first error. They count as passed. */
  flaky: readonly Failure[];
}

/** A failed test: its file and title, and the beginning of its error message. */
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
    tests: { projectName: string; status: string; results: PlaywrightResult[] }[];
  }[];
}

interface PlaywrightResult {
  error?: { message?: string };
  attachments?: { name: string; path?: string }[];
}

/** Lines of an error message that are printed again at the end of the run. */
const MESSAGE_LINES = 12;

/** Lines of a page's content, as its accessibility tree, that are printed with the error that it is about. */
const PAGE_LINES = 80;

/** Reads Vitest's JSON report. */
export async function tallyVitest(file: string): Promise<Tally> {
  const report = JSON.parse(await readFile(file, "utf8")) as VitestReport;
  // A test that passed when tried again still has the messages of its first try.
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
    failures: (await Promise.all(suites.map((suite) => withStatus(suite, "unexpected")))).flat(),
    flaky: (await Promise.all(suites.map((suite) => withStatus(suite, "flaky")))).flat(),
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

async function withStatus(
  { suites = [], specs }: PlaywrightSuite,
  expectedStatus: "unexpected" | "flaky",
): Promise<Failure[]> {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === expectedStatus)
      .map(async ({ projectName, results }) => {
        const result = results.find(({ error }) => error);
        const failed = failure(`[${projectName}] ${file} › ${title}`, result?.error?.message);
        return { ...failed, message: failed.message + (await pageOf(result)) };
      }),
  );
  const inner = suites.map((suite) => withStatus(suite, expectedStatus));
  return [...(await Promise.all(own)), ...(await Promise.all(inner)).flat()];
}

/** What the page showed when a test failed: where only the end of a run's output is kept, nothing else tells. */
async function pageOf(result: PlaywrightResult | undefined): Promise<string> {
  const path = result?.attachments?.find(({ name }) => name === "error-context")?.path;
  const context = path === undefined ? "" : await readFile(path, "utf8").catch(() => "");
  const [, page] = /```yaml\n(.*?)```/s.exec(context) ?? [];
  if (page === undefined) return "";
  const lines = page.split("\n");
  // The navigation, which stands before the content, is the same on every page.
  const start = Math.max(0, lines.indexOf("- main:"));
  return `\n${lines.slice(start, start + PAGE_LINES).join("\n")}`;
}

function failure(test: string, message = "(without a message)"): Failure {
  return { test, message: message.split("\n").slice(0, MESSAGE_LINES).join("\n") };
}
