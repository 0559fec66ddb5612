import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const nothing = () => undefined;

const ROUTER = {
  push: nothing,
  replace: nothing,
  refresh: nothing,
  back: nothing,
  forward: nothing,
  prefetch: nothing,
};

/** What is around every part of a page, over what the cache holds. Links and buttons lead nowhere. */
export function PageOf({ queries, children }: { queries: QueryClient; children: ReactNode }) {
  return (
    <AppRouterContext value={ROUTER as unknown as AppRouterInstance}>
      <PathnameContext value="/leads">
        <SearchParamsContext value={new URLSearchParams("q=ada")}>
          <QueryClientProvider client={queries}>
            <MantineProvider>{children}</MantineProvider>
          </QueryClientProvider>
        </SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>
  );
}

/** A part of a page as markup. */
export function markupOf(part: ReactNode, queries = new QueryClient()): string {
  return renderToStaticMarkup(<PageOf queries={queries}>{part}</PageOf>);
}
