import { expect, test } from "@playwright/test";

import { findViolations } from "@/tests/e2e/support/violations";

const SMALL = '<button type="button" style="width: 9px; height: 9px; padding: 0">x</button>';

const SOUND = `
  <p style="color: #333">Read <a href="/a" style="color: #05c; text-decoration: underline">the rules</a> first.</p>
  <ul>
    <li style="color: #333">one</li>
    <li style="color: #333">two</li>
  </ul>
  <p style="color: #ccc">×</p>
  <div style="display: flex">${SMALL} near a text</div>`;

/** A rule of axe, and what breaks it in place of what is sound. */
const FAULTS: readonly [rule: string, sound: string, unsound: string][] = [
  ["color-contrast", 'color: #333">two', 'color: #ddd">two'],
  // Of one letter axe says nothing.
  ["color-contrast", "×", "A pale text"],
  ["link-in-text-block", "text-decoration: underline", "text-decoration: none; color: #353535"],
  ["target-size", SMALL, `${SMALL}${SMALL}`],
  ["list", "<ul>", "<ul><div>none</div>"],
];

function pageOf(content: string): string {
  const main = `<main><h1>A page</h1>${content}</main>`;
  return `<!doctype html><html lang="en"><title>A page</title><body style="background: #fff">${main}</body></html>`;
}

test("what is wrong with a page is found, also after a page was seen that looks nearly alike", async ({ page }) => {
  const rulesBroken = async (content: string) => {
    await page.setContent(pageOf(content));
    return (await findViolations(page)).map((violation) => violation.split(":", 1)[0]);
  };
  for (const [rule, sound, unsound] of FAULTS) {
    expect(await rulesBroken(SOUND)).toEqual([]);
    expect(await rulesBroken(SOUND.replace(sound, unsound))).toEqual([rule]);
  }
});
