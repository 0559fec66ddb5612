import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { BulkBar } from "@/components/records/list/bulk/bulk-bar";
import { notDone } from "@/components/records/list/bulk/use-bulk-change";

const nothing = () => undefined;

/** The bar over a list of which `loaded` rows are loaded and the first `selected` are selected, as text. */
function barOf(loaded: number, selected: number, total?: number): string {
  const rows = Array.from({ length: loaded }, (_, index) => ({
    id: `${index}`,
    name: "",
    version: 1,
    fields: {},
    names: {},
  }));
  const selection = {
    ids: new Set(rows.slice(0, selected).map(({ id }) => id)),
    select: nothing,
    extend: nothing,
    selectAll: nothing,
    clear: nothing,
  };
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <BulkBar
          resource="contacts"
          rows={rows}
          total={total}
          onLoadRest={() => Promise.resolve()}
          selection={selection}
        />
      </MantineProvider>
    </QueryClientProvider>,
  );
  return markup.replaceAll(/<style.*?<\/style>|<[^>]*>/gs, " ");
}

test("a selection of what is loaded is never said to be all of a longer list", () => {
  expect(barOf(260, 260, 450)).toContain("260 of 450 selected");
  expect(barOf(260, 260, 450)).toContain("Load and select all 450");
  expect(barOf(260, 3, 90_000)).toContain("Select the 260 loaded");
  expect(barOf(260, 260, 90_000)).toContain("Only loaded rows can be selected");
});

test("of a list that is loaded whole, the rest is selected at once", () => {
  expect(barOf(4, 3)).toMatch(/3 selected.*Select all 4/s);
  expect(barOf(4, 4)).not.toContain("Select");
});

test("what was not done agrees in number with the records that it was not done to", () => {
  expect(notDone("contacts", 1, 1, "changed")).toBe("1 of 1 contact was not changed");
  expect(notDone("contacts", 1, 5, "deleted")).toBe("1 of 5 contacts was not deleted");
  expect(notDone("contacts", 2, 5, "changed")).toBe("2 of 5 contacts were not changed");
});
