import { type Browser, chromium, type Page } from "@playwright/test";
import { dirname } from "node:path";

import { readDemoFile } from "@/scripts/demo/demo-file";
import { startOwnDemo } from "@/scripts/demo/start-demo";
import { Fault } from "@/scripts/service/fault";
import { stopRequest } from "@/scripts/service/stop-request";
import { findOrInstallChromium } from "@/scripts/test/chromium";
import type { Measurement } from "@/tests/benchmarks/measurement";

const RECORDS = 10_000;

const LOADS = 5;

/**
 * The speed of the page's cores in Lighthouse's BenchmarkIndex: that of a mid-tier phone, whatever machine measures
 * (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown). A desktop of
 * 1,600 is slowed four times.
 */
const PHONE_INDEX = 400;

/** What Google calls good is 2.5 s, 200 ms and 0.1 (https://web.dev/articles/vitals). */
const LIMITS: Vitals = { largestPaintMs: 2_000, blockingMs: 200, layoutShift: 0.02 };

interface Vitals {
  largestPaintMs: number;
  blockingMs: number;
  layoutShift: number;
}

/**
 * Largest paint, blocking and layout shift of the wizard, a report, a list and records, in Chromium on the cores of a
 * phone: the median of some loads with an empty cache. E2E_DEMO_FILE names a running demo; otherwise one is started.
 */
export async function run(): Promise<Measurement[]> {
  const stopSignal = stopRequest();
  await using started = new AsyncDisposableStack();
  const executablePath = await findOrInstallChromium(stopSignal);
  const demoFile =
    process.env.E2E_DEMO_FILE ??
    (await startOwnDemo(started, { command: "npm run bench -- vitals", records: RECORDS, stopSignal }));
  const demo = await readDemoFile(dirname(demoFile));
  if (!demo) throw new Fault(`E2E_DEMO_FILE names ${demoFile}, which does not exist.`);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  started.defer(() => browser.close());
  const session = await signIn(browser, demo.base_url, demo.admin);
  const slowdown = Math.max(1, (await benchmarkIndex(browser)) / PHONE_INDEX);
  const measurements: Measurement[] = [
    { name: "slowdown of the cores", value: Number(slowdown.toFixed(2)), unit: "×" },
  ];
  for (const [name, path] of Object.entries(session.paths)) {
    const loads: Vitals[] = [];
    for (let load = 0; load < LOADS; load++)
      loads.push(await measureLoad(browser, session.state, demo.base_url + path, slowdown));
    measurements.push(...figuresOf(name, loads));
  }
  return measurements;
}

/** How often each part of the index is measured. */
const INDEX_ROUNDS = 3;

/**
 * How fast a page of this browser is, as Lighthouse defines its BenchmarkIndex: the mean of how often per second it
 * builds a string of 10,000 characters and copies an array of 100,000 numbers, divided by ten.
 */
async function benchmarkIndex(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  const rounds: number[] = [];
  for (let round = 0; round < INDEX_ROUNDS; round++) rounds.push(Number(await page.evaluate(`{${INDEX}}`)));
  await page.close();
  return rounds.toSorted((a, b) => a - b)[INDEX_ROUNDS >> 1] ?? 0;
}

const INDEX = `
  const perSecond = (work) => {
    const start = performance.now();
    let times = 0;
    for (; performance.now() - start < 500; times++) work(times);
    return (times * 1000) / (performance.now() - start);
  };
  const buildString = () => {
    let text = "";
    for (let length = 0; length < 10000; length++) text += "a";
    if (text.length !== 10000) throw new Error("The string was not built.");
  };
  const arrays = [0, 1].map(() => Array.from({ length: 100000 }, (_, index) => index));
  const copyArray = (times) => {
    const from = arrays[times % 2];
    const to = arrays[(times + 1) % 2];
    for (let index = 0; index < from.length; index++) to[index] = from[index];
  };
  (perSecond(buildString) + perSecond(copyArray)) / 20;
`;

type State = Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["storageState"]>>;

/** Signs in by the form. Returns the session, and the paths of the measured pages. */
async function signIn(
  browser: Browser,
  baseURL: string,
  { email, password }: { email: string; password: string },
): Promise<{ state: State; paths: Record<string, string> }> {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await page.goto("/accounts");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("/accounts");
  const migrations = await firstOf<{ migration_id: string }>(page, "migration");
  const supportCase = await firstOf<{ id: string }>(page, "cases");
  const account = await page.request.post("/api/v1/accounts", {
    headers: { origin: baseURL },
    data: { name: "An account without anything" },
  });
  const { id: accountId } = (await account.json()) as { id: string };
  const migration = `/migration/${migrations.migration_id}`;
  const state = await context.storageState();
  await context.close();
  return {
    state,
    paths: {
      "wizard, connect": "/migration/new",
      "wizard, configure": `${migration}/configure`,
      "wizard, migrate": `${migration}/migrate`,
      report: `${migration}/report`,
      "list of contacts": "/contacts",
      "empty account": `/accounts/${accountId}`,
      case: `/cases/${supportCase.id}`,
    },
  };
}

async function firstOf<Row>(page: Page, collection: string): Promise<Row> {
  const answer = await page.request.get(`/api/v1/${collection}?limit=1`);
  const [row] = ((await answer.json()) as { data: Row[] }).data;
  if (row === undefined) throw new Error(`The demo has no ${collection}.`);
  return row;
}

async function measureLoad(browser: Browser, storageState: State, url: string, slowdown: number): Promise<Vitals> {
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript({ content: `{${OBSERVE}}` });
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  const vitals = await readVitals(page);
  await context.close();
  return vitals;
}

interface Observed extends Window {
  observed?: Pick<Vitals, "largestPaintMs" | "layoutShift"> & {
    firstPaintMs: number;
    longTasks: { startTime: number; duration: number }[];
  };
}

/** What a task takes beyond this is blocking, as the definition has it (https://web.dev/articles/tbt). */
const UNNOTICED_MS = 50;

/**
 * Collects what the browser reports; runs in the page, before its own scripts. It is text because tsx adds calls of its
 * own helpers to functions, which a page does not have.
 */
const OBSERVE = `
  const observed = (window.observed = { firstPaintMs: 0, largestPaintMs: 0, layoutShift: 0, longTasks: [] });
  const watch = (type, add) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  watch("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") observed.firstPaintMs = startTime;
  });
  watch("largest-contentful-paint", ({ startTime }) => { observed.largestPaintMs = startTime; });
  watch("longtask", ({ startTime, duration }) => { observed.longTasks.push({ startTime, duration }); });
  watch("layout-shift", ({ value }) => { observed.layoutShift += value; });
`;

async function readVitals(page: Page): Promise<Vitals> {
  const observed = await page.evaluate(() => (window as Observed).observed);
  // Every page paints something: without a paint nothing was observed.
  if (!observed || observed.firstPaintMs === 0) throw new Error("The page was not observed.");
  const { firstPaintMs, largestPaintMs, layoutShift, longTasks } = observed;
  const blocking = longTasks.map(({ startTime, duration }) => {
    const sincePaint = Math.min(duration, startTime + duration - firstPaintMs);
    return Math.max(0, sincePaint - UNNOTICED_MS);
  });
  return { largestPaintMs, layoutShift, blockingMs: blocking.reduce((sum, part) => sum + part, 0) };
}

function figuresOf(name: string, loads: readonly Vitals[]): Measurement[] {
  const median = (of: keyof Vitals) => loads.map((load) => load[of]).toSorted((a, b) => a - b)[LOADS >> 1] ?? 0;
  const figure = (what: string, of: keyof Vitals, unit: string, digits: number) => ({
    name: `${name}: ${what}`,
    value: Number(median(of).toFixed(digits)),
    unit,
    limit: { atMost: LIMITS[of] },
  });
  return [
    figure("largest paint", "largestPaintMs", "ms", 0),
    figure("blocking", "blockingMs", "ms", 0),
    figure("layout shift", "layoutShift", "", 3),
  ];
}
