import { QueryClient } from "@tanstack/react-query";
import { prerender } from "react-dom/static";
import { expect, test } from "vitest";

import { loadedLater } from "@/components/ui/feedback/loaded-later";
import { PageOf } from "@/tests/components/support/app-router";

async function shown(load: () => Promise<() => string>): Promise<string> {
  const Part = loadedLater(load);
  const page = (
    <PageOf queries={new QueryClient()}>
      <p>Typed before</p>
      <Part />
    </PageOf>
  );
  return new Response((await prerender(page)).prelude).text();
}

test("a part whose code comes later is shown in its place", async () => {
  expect(await shown(async () => () => "The part")).toContain("The part");
});

test("one that cannot be loaded says so there, and nothing else of the page goes", async () => {
  const markup = await shown(async () => {
    throw new Error("no network");
  });
  expect(markup).toMatch(/Typed before.*This part of the page could not be loaded.*Try again/s);
});
