"use client";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import { createQueryClient } from "@/components/api/query-client";
import { PrintInLight } from "@/components/shell/print-in-light";
import { cssVariables } from "@/components/theme/css-variables";
import { theme } from "@/components/theme/theme";

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
