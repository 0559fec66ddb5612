import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
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

/** A part of a page as markup, over what the cache holds. Links and buttons lead nowhere. */
export function markupOf(part: ReactNode, queries: QueryClient): string {
  return renderToStaticMarkup(
    <AppRouterContext value={ROUTER as unknown as AppRouterInstance}>
      <QueryClientProvider client={queries}>
        <MantineProvider>{part}</MantineProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
}
