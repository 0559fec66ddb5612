import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const OPTIONS: axe.RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: {
    // The head of a column of boxes holds the box that selects all of them: its name is the head's, but no text.
    "empty-table-header": { enabled: false },
    // See findPaleText.
    "color-contrast": { enabled: false },
  },
  resultTypes: ["violations"],
};

/**
 * Where Mantine puts menus and lists that are open. They stand outside of every landmark, so that nothing cuts them
 * off, which the best practice "region" does not foresee: whoever opens one is led into it by the focus.
 */
const PORTAL = "data-mantine-shared-portal-node";

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

const PHONE = { width: 390, height: 844 };

/** Beside that of the desktop: a phone, a tablet, a small window, a large screen. */
const OTHER_WIDTHS = [PHONE.width, 768, 1024, 1920];

/** Expects that nothing overflows at other widths, with wider text, which is the harder case. */
export async function expectToFitWidths(page: Page): Promise<void> {
  const size = page.viewportSize();
  if (!size) return;
  const looks = { "with wider text": LOOKS["with wider text"] };
  for (const width of OTHER_WIDTHS) {
    await page.setViewportSize({ ...size, width });
    const message = `what makes the page wider than a window of ${width} px`;
    await expect.poll(() => page.evaluate(findSticking, looks), message).toEqual([]);
  }
  await page.setViewportSize(size);
}

/** Runs `check` on a page that has become as narrow as on a phone, and dark. */
export async function onPhone(page: Page, check: () => Promise<void>): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  await check();
  await page.emulateMedia({ colorScheme: null });
  if (size) await page.setViewportSize(size);
}

/** Expects that axe finds nothing. Waits until the page has stopped moving. */
async function expectNoViolations(page: Page, options = OPTIONS): Promise<void> {
  await waitUntilStill(page);
  // While a page is refreshed, its title may be missing for a moment.
  const violations = () => findViolations(page, options);
  await expect.poll(violations, { message: "what axe finds", timeout: AXE_TIMEOUT_MS }).toEqual([]);
}

/** Expects that a page that is sound can be read in the other colors too, of which nothing else depends. */
export async function expectReadableColors(page: Page): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const colorScheme = isDark ? "dark" : "light";
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  await expectNoViolations(page, { ...OPTIONS, runOnly: ["link-in-text-block"] });
  await page.emulateMedia({ colorScheme });
}

/** Waits until nothing is loading any more, and what moves to an end has got there. */
export async function waitUntilStill(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
}

/** A rule that is broken, and where. */
interface Finding {
  id: string;
  nodes: { html: string }[];
}

/**
 * Runs axe in the page, to which it is sent once per document. It does not describe elements that pass, since that
 * takes longer than checking them.
 */
async function findViolations(page: Page, options: axe.RunOptions): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in window);
  if (!isThere) await page.evaluate(AXE);
  const violations = await page.evaluate(
    async (asked) => (await (window as unknown as { axe: typeof axe }).axe.run(asked)).violations,
    options,
  );
  return [...violations, ...(await findPaleText(page))].flatMap(({ id, nodes }) => {
    const found = nodes.map((node) => node.html).filter((html) => id !== "region" || !html.includes(PORTAL));
    return found.length > 0 ? [`${id}: ${found.join(" | ")}`] : [];
  });
}

/**
 * Runs axe's rule on contrast until it has judged one text of each look. It takes milliseconds per text, and the rows
 * of a list look alike.
 */
async function findPaleText(page: Page): Promise<Finding[]> {
  return page.evaluate(judgeContrast, await page.evaluateHandle(findLooks));
}

/** The elements with text, by the colors and sizes of its letters and what lies behind them. Runs in the page. */
function findLooks(): Element[][] {
  const backdrops = new Map<Element | null, string>([[null, ""]]);
  function backdropOf(element: Element | null): string {
    const known = backdrops.get(element);
    if (known !== undefined || !element) return known ?? "";
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    // What is moved out of the flow may lie on something else than its parent.
    const place = /^(?:absolute|fixed)$/.test(position) ? element.className : "";
    const isClear = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none" && opacity === "1" && !place;
    const behind = backdropOf(element.parentElement);
    const backdrop = isClear ? behind : [behind, backgroundColor, backgroundImage, opacity, place].join("|");
    backdrops.set(element, backdrop);
    return backdrop;
  }
  const looks = new Map<string, Element[]>();
  for (const element of document.body.querySelectorAll("*")) {
    const texts = [...element.childNodes].filter((node) => node instanceof Text && node.data.trim() !== "");
    const isField = element.matches("input, select, textarea");
    if ((texts.length === 0 && !isField) || !element.checkVisibility()) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const isDisabled = element.closest(":disabled, [aria-disabled=true]") !== null;
    const look = [color, fontSize, fontWeight, textShadow, isDisabled, backdropOf(element)].join("|");
    looks.set(look, looks.get(look) ?? []);
    looks.get(look)?.push(element);
  }
  return [...looks.values()];
}

/**
 * Asks axe about elements of each look. It gives no verdict on some, such as a text of one letter: it is then asked
 * about twice as many others. Runs in the page.
 */
async function judgeContrast(looks: Element[][]): Promise<Finding[]> {
  const { run } = (window as unknown as { axe: typeof axe }).axe;
  const found: axe.Result[] = [];
  let open = looks;
  for (let count = 1; ; count *= 2) {
    // The page may have replaced some meanwhile, for which axe would fail.
    const present = open.map((elements) => elements.filter(({ isConnected }) => isConnected));
    const asked = present
      .filter(({ length }) => length > 0)
      .map((elements) => ({ first: elements.slice(0, count), others: elements.slice(count) }));
    if (asked.length === 0) break;
    const { violations, passes } = await run(
      { include: asked.flatMap(({ first }) => first) },
      { runOnly: ["color-contrast"], resultTypes: ["violations", "passes"], elementRef: true },
    );
    found.push(...violations);
    const judged = new Set([...violations, ...passes].flatMap(({ nodes }) => nodes.map(({ element }) => element)));
    open = asked
      .filter(({ first, others }) => others.length > 0 && !first.some((element) => judged.has(element as HTMLElement)))
      .map(({ others }) => others);
  }
  return found.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
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
