import { QueryClient } from "@tanstack/react-query";

import { Problem } from "@/components/api/problem";

const ATTEMPTS = 3;

function isFinal({ status, code }: Problem): boolean {
  return code === "timeout" || (status >= 400 && status < 500);
}

/**
 * Repeats a read when the network or the server failed, but not when the API refused it, or took longer than a page
 * waits: it would take as long again.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without a network a change fails at once and says so. By default it would wait, and be made once there is one.
      mutations: { networkMode: "always" },
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < ATTEMPTS && !(error instanceof Problem && isFinal(error)),
      },
    },
  });
}
