import { expect, type Locator, type Page } from "@playwright/test";

/** More stops than any page has. */
const MOST_STOPS = 80;

/**
 * Presses Tab until the focus is where it is to be, as somebody without a mouse does; fails where the way does not lead
 * there.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  // Looked up once: by its role it takes longer than the key.
  const element = await target.elementHandle();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await element?.evaluate((wanted) => wanted === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`No Tab leads to ${String(target)}.`);
}

/** Goes to a button, a link or a box and presses the key. */
export async function pressOn(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field and types over what stands there. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}
