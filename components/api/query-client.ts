import { QueryClient } from "@tanstack/react-query";

import { Problem } from "@/components/api/problem";

const ATTEMPTS = 3;

/** Reads are repeated when the network or the server failed, never when the API refused. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) =>
          failures < ATTEMPTS && !(error instanceof Problem && error.status >= 400 && error.status < 500),
      },
    },
  });
}
