import { expect, type Locator, type Page } from "@playwright/test";

/** More than any page has. */
const MAX_STOPS = 200;

/** Presses Tab until `target` has the focus, as people without a mouse do. Fails if Tab does not lead there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  // Looked up again only where the page has drawn it anew, since finding it by role takes longer than the key.
  let element = await target.elementHandle();
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (!(await element?.evaluate((wanted) => wanted.isConnected))) element = await target.elementHandle();
    if (await element?.evaluate((wanted) => wanted === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`No Tab leads to ${String(target)}.`);
}

/** Moves to a button, a link or a box and presses the key. */
export async function pressOn(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves to a field and replaces its text. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}
