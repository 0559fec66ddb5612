"use client";

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";

import { createQueryClient } from "@/components/api/query-client";
import { PrintInLight } from "@/components/shell/print-in-light";
import { cssVariables } from "@/components/theme/css-variables";
import { theme } from "@/components/theme/theme";

/** Nothing is announced before the page is there. What is announced until this has come waits in its store. */
const Notifications = dynamic(async () => (await import("@mantine/notifications")).Notifications, { ssr: false });

/** The context of every page: theme, notifications, and the cache of the API's answers. */
export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <PrintInLight />
        {children}
      </QueryClientProvider>
    </MantineProvider>
  );
}
