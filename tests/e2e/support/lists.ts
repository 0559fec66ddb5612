import type { Locator, Page } from "@playwright/test";

/** Creates records by the API, the last one newest, and opens their list. Returns their ids. */
export async function createMany(page: Page, resource: string, records: readonly object[]): Promise<string[]> {
  await page.goto(`/${resource}`);
  const items = records.map((data) => ({ action: "create", data }));
  return page.evaluate(
    async ([path, body]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/api/v1/${path}/batch`, { method: "POST", headers, body });
      const { results } = (await answer.json()) as { results: { record: { id: string } }[] };
      return results.map(({ record }) => record.id);
    },
    [resource, JSON.stringify({ mode: "all_or_nothing", items })] as const,
  );
}

/** A word that only the records of this test have. */
export function newWord(): string {
  return `Q${Math.random().toString(36).slice(2, 10)}`;
}

/** The names of the rows that a list shows. */
export function rowsOf(page: Page): Locator {
  return page.getByRole("table").getByRole("rowheader");
}
