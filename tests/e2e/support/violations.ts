import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Page } from "@playwright/test";
import type axe from "axe-core";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What depends on how an element looks, and on what lies behind and beside it. For these rules axe compares the places
 * of all elements, which takes longer than all its other rules.
 */
const RULES_OF_LOOKS = ["color-contrast", "link-in-text-block", "target-size"];

const OPTIONS: axe.RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: {
    // The head of a column of boxes holds the box that selects all of them: its name is the head's, but no text.
    "empty-table-header": { enabled: false },
    ...Object.fromEntries(RULES_OF_LOOKS.map((rule) => [rule, { enabled: false }])),
  },
  resultTypes: ["violations"],
};

/**
 * Where Mantine puts menus and lists that are open. They stand outside of every landmark, so that nothing cuts them
 * off, which the best practice "region" does not foresee: whoever opens one is led into it by the focus.
 */
const PORTAL = "data-mantine-shared-portal-node";

/** A rule that is broken, and where. */
interface Finding {
  id: string;
  nodes: { html: string }[];
}

/**
 * What axe finds in a page by its rules for WCAG 2.2 A and AA and its best practices (landmarks, headings in their
 * order). It does not describe elements that pass, since that takes longer than checking them.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await addAxe(page);
  const findings = await page.evaluate(async (options) => (await window.axe.run(options)).violations, OPTIONS);
  return [...describe(findings), ...(await findUnsoundLooks(page))];
}

/** The page has axe until it is left. */
async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
}

function describe(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ id, nodes }) => {
    const found = nodes.map((node) => node.html).filter((html) => id !== "region" || !html.includes(PORTAL));
    return found.length > 0 ? [`${id}: ${found.join(" | ")}`] : [];
  });
}

/** Looks that were sound on a page before: pages have most of them in common. */
const soundLooks = new Set<string>();

/** What axe finds by the rules of looks. It judges one element of each look: the rows of a list look alike. */
export async function findUnsoundLooks(page: Page): Promise<string[]> {
  await addAxe(page);
  const looks = await page.evaluateHandle(findLooks, [...soundLooks]);
  const { findings, sound } = await page.evaluate(judgeLooks, { looks, rules: RULES_OF_LOOKS });
  for (const look of sound) soundLooks.add(look);
  return describe(findings);
}

/** Elements of which axe's verdict is the same. */
interface Look {
  name: string;
  elements: Element[];
  isText: boolean;
}

/**
 * The looks in a page, except for those that are known. A text's is the colors and sizes of its letters and what lies
 * behind them; a link's or a button's is its class, its letters and those of its parent, and the room that it has. Runs
 * in the page.
 */
function findLooks(known: readonly string[]): Look[] {
  const TARGETS = "a, button, input, select, textarea, summary, [role], [tabindex]";
  const FIELDS = "input, select, textarea";
  const backdrops = new Map<Element | null, string>([[null, ""]]);
  function backdropOf(element: Element | null): string {
    const backdrop = backdrops.get(element);
    if (backdrop !== undefined || !element) return backdrop ?? "";
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    // What is moved out of the flow may lie on something else than its parent.
    const place = /^(?:absolute|fixed)$/.test(position) ? element.className : "";
    const isClear = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none" && opacity === "1" && !place;
    const behind = backdropOf(element.parentElement);
    const found = isClear ? behind : [behind, backgroundColor, backgroundImage, opacity, place].join("|");
    backdrops.set(element, found);
    return found;
  }
  function lettersOf(element: Element): string {
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
    const isDisabled = element.closest(":disabled, [aria-disabled=true]") !== null;
    return [color, fontSize, fontWeight, textShadow, textDecorationLine, isDisabled, backdropOf(element)].join("|");
  }
  const visible = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
  const targets = visible.filter((element) => element.matches(TARGETS));
  const boxes = new Map(targets.map((element) => [element, element.getBoundingClientRect()]));
  /** Size, how far the next target and its middle are from its middle, and what others cover (WCAG 2.2, 2.5.8). */
  function roomOf(element: Element): string {
    const own = boxes.get(element) ?? new DOMRect();
    const [x, y] = [own.left + own.width / 2, own.top + own.height / 2];
    let [nearest, nearestMiddle] = [24, 24];
    const covered: number[] = [];
    for (const [other, { left, top, right, bottom }] of boxes) {
      const gap = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
      const width = Math.min(right, own.right) - Math.max(left, own.left);
      const height = Math.min(bottom, own.bottom) - Math.max(top, own.top);
      const isCover = width > 0 && height > 0;
      if ((gap >= 24 && !isCover) || other.contains(element) || element.contains(other)) continue;
      nearest = Math.min(nearest, gap);
      nearestMiddle = Math.min(nearestMiddle, Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y));
      if (isCover) covered.push(width, height);
    }
    const room = [own.width, own.height, nearest, nearestMiddle].map((length) => Math.min(24, length));
    return [...room, ...covered].map(Math.round).join(" ");
  }
  const looks = new Map<string, Look>();
  function add(name: string, element: Element, isText: boolean): void {
    const look = looks.get(name) ?? { name, elements: [], isText };
    looks.set(name, look);
    look.elements.push(element);
  }
  for (const element of visible) {
    const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");
    if (hasText || element.matches(FIELDS)) add(lettersOf(element), element, true);
  }
  for (const element of targets) {
    const parent = element.parentElement ?? element;
    // A link in a text is told apart by its colors, and needs no size.
    const isInText =
      getComputedStyle(element).display === "inline" && parent.textContent.trim() !== element.textContent.trim();
    const classes = [element.tagName, element.role, element.className, parent.className];
    const room = isInText ? "in text" : roomOf(element);
    add([...classes, room, lettersOf(element), lettersOf(parent)].join("|"), element, false);
  }
  for (const name of known) looks.delete(name);
  return [...looks.values()];
}

/**
 * Asks axe about an element of each look. It gives no verdict on the contrast of some, such as a text of one letter: it
 * is then asked about twice as many others. Runs in the page.
 */
async function judgeLooks(given: {
  looks: Look[];
  rules: string[];
}): Promise<{ findings: Finding[]; sound: string[] }> {
  const found: axe.Result[] = [];
  const sound: string[] = [];
  let open = given.looks;
  for (let count = 1; ; count *= 2) {
    // The page may have replaced some meanwhile, for which axe would fail.
    const present = open
      .map((look) => ({ ...look, elements: look.elements.filter(({ isConnected }) => isConnected) }))
      .filter(({ elements }) => elements.length > 0);
    if (present.length === 0) break;
    const include = present.flatMap(({ elements }) => elements.slice(0, count));
    const options: axe.RunOptions = { runOnly: given.rules, resultTypes: ["violations", "passes"], elementRef: true };
    const { violations, passes } = await window.axe.run({ include }, options);
    found.push(...violations);
    const ofContrast = [...violations, ...passes].filter(({ id }) => id === "color-contrast");
    const judged = new Set(ofContrast.flatMap(({ nodes }) => nodes.map(({ element }) => element)));
    const isJudged = ({ isText, elements }: Look) =>
      !isText || elements.slice(0, count).some((element) => judged.has(element as HTMLElement));
    sound.push(...present.filter(isJudged).map(({ name }) => name));
    open = present.filter((look) => !isJudged(look)).map((look) => ({ ...look, elements: look.elements.slice(count) }));
  }
  const findings = found.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
  return { findings, sound: found.length > 0 ? [] : sound };
}
