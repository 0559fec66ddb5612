import { expect, type Page } from "@playwright/test";

import { findUnsoundLooks, findViolations } from "@/tests/e2e/support/violations";
import { isExhaustive } from "@/tests/support/exhaustive";

/** On busy cores axe takes half a minute for the largest page, the reference of the migration. */
const AXE_TIMEOUT_MS = 120_000;

/** What a refusal ends with, for whoever runs the service. */
export const REQUEST = /Request [0-9a-f]{8}-[0-9a-f-]{27}/;

/**
 * Expects that axe finds no fault of WCAG 2.2 A and AA nor of its best practices (landmarks, headings in their order),
 * and that nothing overflows at the side, not even with wider text. Waits until the page has stopped moving.
 */
export async function expectSoundPage(page: Page): Promise<void> {
  await expectNoViolations(page);
  await expect.poll(() => page.evaluate(findSticking, LOOKS), "what makes the page wider than the window").toEqual([]);
}

/** How a page looks to somebody: the size of the window, and the colors. */
interface Look {
  width: number;
  height: number;
  colorScheme: "light" | "dark";
}

/** Those of the projects of Playwright. */
export const DESKTOP_LOOK: Look = { width: 1440, height: 900, colorScheme: "light" };
export const PHONE_LOOK: Look = { width: 390, height: 844, colorScheme: "dark" };

/** Beside that of the desktop: a phone, and a tablet, one of two small windows or a large screen. */
const OTHER_WIDTHS = [768, 1024, 1280, 1920];

/**
 * Expects that nothing overflows at other widths, with wider text, which is the harder case: on a phone and, unless all
 * is to be tried, in one of the others, by turns of `index`.
 */
export async function expectToFitWidths(page: Page, index: number): Promise<void> {
  const size = page.viewportSize();
  if (!size) return;
  const looks = { "with wider text": LOOKS["with wider text"] };
  const others = OTHER_WIDTHS.filter((_, turn) => isExhaustive || turn === index % OTHER_WIDTHS.length);
  for (const width of [PHONE_LOOK.width, ...others]) {
    await page.setViewportSize({ ...size, width });
    const message = `what makes the page wider than a window of ${width} px`;
    await expect.poll(() => page.evaluate(findSticking, looks), message).toEqual([]);
  }
  await page.setViewportSize(size);
}

/** Runs `check` on a page that has taken on another look. */
export async function inLook(page: Page, look: Look, check: () => Promise<void>): Promise<void> {
  const size = page.viewportSize();
  const colorScheme = (await isDark(page)) ? "dark" : "light";
  await page.setViewportSize({ width: look.width, height: look.height });
  await page.emulateMedia({ colorScheme: look.colorScheme });
  await check();
  await page.emulateMedia({ colorScheme });
  if (size) await page.setViewportSize(size);
}

function isDark(page: Page): Promise<boolean> {
  return page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Expects that axe finds nothing. Waits until the page has stopped moving. */
async function expectNoViolations(page: Page, find = findViolations): Promise<void> {
  await waitUntilStill(page);
  // While a page is refreshed, its title may be missing for a moment.
  await expect.poll(() => find(page), { message: "what axe finds", timeout: AXE_TIMEOUT_MS }).toEqual([]);
}

/** Expects that a page that is sound can be read in the other colors too, of which nothing else depends. */
export async function expectReadableColors(page: Page): Promise<void> {
  const [colorScheme, other] = (await isDark(page)) ? (["dark", "light"] as const) : (["light", "dark"] as const);
  await page.emulateMedia({ colorScheme: other });
  await expectNoViolations(page, findUnsoundLooks);
  await page.emulateMedia({ colorScheme });
}

/** Playwright bounds no evaluation, and nothing moves on in a page that no longer draws. */
const MOVES_TIMEOUT_MS = 60_000;

/** Waits until nothing is loading any more, and what moves to an end has got there. */
export async function waitUntilStill(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  const isStill = page.evaluate((timeout) => {
    const ends = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
      .map((animation) => animation.finished.catch(() => undefined));
    return Promise.race([
      Promise.all(ends).then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), timeout)),
    ]);
  }, MOVES_TIMEOUT_MS);
  expect(await isStill, `what moves gets to its end in ${MOVES_TIMEOUT_MS} ms`).toBe(true);
}

/**
 * The text spacing that readers may set (WCAG 2.2, 1.4.12) makes lines a quarter wider, as other machines' fonts may.
 */
const LOOKS = {
  "as it is": "",
  "with wider text":
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
};

/**
 * The innermost elements that overflow the page or a dialog, with each style of `looks`. Runs in the page, and leaves
 * it unchanged.
 */
function findSticking(looks: Record<string, string>): string[] {
  const found: string[] = [];
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  for (const [look, style] of Object.entries(looks)) {
    sheet.replaceSync(style);
    for (const frame of [document.documentElement, ...document.querySelectorAll("[role=dialog]")]) {
      if (frame.scrollWidth <= frame.clientWidth) continue;
      const edge = frame.getBoundingClientRect().left + frame.clientWidth;
      const excess = new Map<Element, number>();
      for (const element of frame.querySelectorAll("body *, [role=dialog] *")) {
        const { left, width } = element.getBoundingClientRect();
        const beyond = Math.round(left + Math.max(element.scrollWidth, width) - edge);
        if (beyond > 0) excess.set(element, beyond);
      }
      const innermost = [...excess].filter(([element]) => ![...element.children].some((child) => excess.has(child)));
      found.push(...innermost.map(([element, beyond]) => `${look}, ${beyond} px: ${element.outerHTML.slice(0, 200)}`));
    }
  }
  document.adoptedStyleSheets.pop();
  return found;
}
