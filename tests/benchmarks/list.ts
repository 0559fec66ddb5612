import { randomBytes } from "node:crypto";

import { type Browser, chromium, type Page } from "@playwright/test";

import type { Service } from "@/scripts/service/supervisor/start-service";
import { stopRequest } from "@/scripts/service/stop-request";
import { findOrInstallChromium } from "@/scripts/test/chromium";
import { withOwnService } from "@/tests/benchmarks/api/own-service";
import { UUID_V7 } from "@/tests/benchmarks/api/seed-opportunities";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";

/** BENCH_ROWS: fewer contacts for a quick run. */
const ROWS = Number(process.env.BENCH_ROWS || 200_000);

const VISITS = 9;

/** From the request of the page until its first rows are painted. */
const MAX_FIRST_ROWS_MS = 300;

/** Of the frames that the machine can show. */
const MIN_FRAMES = 0.95;

const SCROLL_SECONDS = 10;

/** Pixels per second: reading along, and a flick of the wheel. */
const SPEEDS = [3_000, 30_000];

const CONTACTS = `
  INSERT INTO contacts (organization_id, id, created_at, updated_at, owner_id, first_name, last_name, email, phone,
    title)
  SELECT $1::uuid, pg_temp.uuid_v7(at, 'contact' || n || $1::uuid), at, at, $2::uuid, 'Ada', 'Lovelace ' || n,
    'ada.' || n || '@example.com', '+43 512 ' || n, 'Head of purchasing'
  FROM generate_series(1, $3::int) AS n,
    date_trunc('milliseconds', now() - interval '4 years' + n * interval '1 second') AS at`;

interface Person {
  email: string;
  password: string;
}

/** Creates an organization with so many contacts. Returns who can sign in. */
async function seedContacts(rows: number): Promise<Person> {
  const { createOrganization } = await import("@/lib/sessions/people/organizations");
  const { pool } = await import("@/tests/support/owner");
  const admin = { email: "admin@benchmark.example", password: randomBytes(12).toString("base64url") };
  const { organizationId, userId } = await createOrganization({
    name: "Benchmark",
    admin: { name: "Admin", ...admin },
  });
  const client = await pool().connect();
  try {
    await client.query("SET statement_timeout = 0");
    await client.query(UUID_V7);
    await client.query(CONTACTS, [organizationId, userId, rows]);
    await client.query("VACUUM (ANALYZE) contacts");
  } finally {
    client.release(true);
  }
  return admin;
}

async function signIn(page: Page, { baseUrl }: Service, { email, password }: Person): Promise<void> {
  await page.goto(`${baseUrl}/contacts`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/contacts");
}

/** Notes in each new document the frame after its first row is there, in milliseconds since it was requested. */
const WATCH_ROWS = `requestAnimationFrame(function look(at) {
  if (window.sawRows) window.rowsAt = at;
  else {
    window.sawRows = document.querySelector("tbody th a") !== null;
    requestAnimationFrame(look);
  }
})`;

async function timeToRows(page: Page, { baseUrl }: Service): Promise<number> {
  await page.goto(`${baseUrl}/contacts`);
  return page.evaluate(async () => {
    const watched = window as unknown as { rowsAt?: number };
    while (watched.rowsAt === undefined) await new Promise(requestAnimationFrame);
    return watched.rowsAt;
  });
}

/** Scrolls to the end until every row is loaded. */
async function loadAllRows(page: Page): Promise<void> {
  await page.getByRole("table").evaluate(async (table) => {
    const scroller = table.parentElement ?? table;
    do {
      scroller.scrollTop = scroller.scrollHeight;
      await new Promise(requestAnimationFrame);
    } while (!scroller.textContent.includes("That is all of them"));
  });
}

/** The milliseconds of each frame while an element is scrolled at a speed, back where it ends. */
function framesOf(page: Page, selector: string, speed: number): Promise<number[]> {
  return page.evaluate(
    async ([of, pixels, seconds]) => {
      const scroller = document.querySelector(of);
      if (!scroller) throw new Error(`There is no ${of}.`);
      scroller.scrollTop = 0;
      const frames: number[] = [];
      let before = await new Promise<number>(requestAnimationFrame);
      const until = before + seconds * 1000;
      while (before < until) {
        const at = await new Promise<number>(requestAnimationFrame);
        frames.push(at - before);
        scroller.scrollTop += (pixels * (at - before)) / 1000;
        before = at;
      }
      return frames;
    },
    [selector, speed, SCROLL_SECONDS] as const,
  );
}

function perSecond(frames: readonly number[]): number {
  return (frames.length * 1000) / frames.reduce((sum, frame) => sum + frame, 0);
}

/** The frames of a page of nothing but one high element: what the machine can do. */
async function floorOf(browser: Browser, speed: number): Promise<number> {
  const page = await browser.newPage();
  await page.setContent('<main style="height:700px;overflow:auto"><div style="height:9000000px"></div></main>');
  const frames = await framesOf(page, "main", speed);
  await page.close();
  return perSecond(frames);
}

async function measure(browser: Browser, service: Service, person: Person): Promise<Measurement[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(WATCH_ROWS);
  await signIn(page, service, person);
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) times.push(await timeToRows(page, service));
  const median = times.toSorted((a, b) => a - b)[Math.floor(VISITS / 2)] ?? 0;
  const started = performance.now();
  await loadAllRows(page);
  const loaded = (performance.now() - started) / 1000;
  const scrolled = [];
  for (const speed of SPEEDS) {
    const frames = await framesOf(page, "div:has(> table)", speed);
    const floor = await floorOf(browser, speed);
    const at = `at ${speed.toLocaleString("en")} pixels/s`;
    scrolled.push(
      { name: `frames ${at}`, value: Number(perSecond(frames).toFixed(1)), unit: "frames/s" },
      { name: `frames of an empty page ${at}`, value: Number(floor.toFixed(1)), unit: "frames/s" },
      compare({
        what: `frames ${at}`,
        against: "an empty page",
        floor,
        ours: perSecond(frames),
        unit: "frames/s",
        limit: { atLeast: MIN_FRAMES },
      }),
    );
  }
  return [
    { name: "first rows, median", value: Math.round(median), unit: "ms", limit: { atMost: MAX_FIRST_ROWS_MS } },
    { name: "rows loaded by scrolling", value: Math.round(ROWS / loaded), unit: "rows/s" },
    ...scrolled,
  ];
}

/** The list of contacts in Chromium, on the built service: its first rows, and its frames with every row loaded. */
export async function run(): Promise<Measurement[]> {
  const executablePath = await findOrInstallChromium(stopRequest());
  return withOwnService("npm run bench", async (service) => {
    console.log(`  ${ROWS.toLocaleString("en")} contacts …`);
    const person = await seedContacts(ROWS);
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      return await measure(browser, service, person);
    } finally {
      await browser.close();
    }
  });
}
