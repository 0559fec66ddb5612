import type { Page } from "@playwright/test";

/** Whether React has taken over what the server rendered: a click before that does nothing. Runs in the page. */
function isHydrated(): boolean {
  return [...document.querySelectorAll("button, input, select")].every((element) =>
    Object.keys(element).some((key) => key.startsWith("__react")),
  );
}

/** The page, whose methods that open another address, or its own again, wait until that is hydrated. */
export function waitingForHydration(page: Page): Page {
  for (const method of ["goto", "reload", "goBack", "goForward"] as const) {
    const open = page[method] as (...args: unknown[]) => Promise<unknown>;
    const openAndWait = async (...args: unknown[]) => {
      const response = await open.apply(page, args);
      await page.waitForFunction(isHydrated, undefined, { timeout: 45_000 });
      return response;
    };
    Object.assign(page, { [method]: openAndWait });
  }
  return page;
}
