import { QueryClient } from "@tanstack/react-query";

import { Problem } from "@/components/api/problem";

const ATTEMPTS = 3;

/** Repeats a read when the network or the server failed, but not when the API refused it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without a network a change fails at once and says so. By default it would wait, and be made once there is one.
      mutations: { networkMode: "always" },
      queries: {
        staleTime: 10_000,
        retry: (failures, error) =>
          failures < ATTEMPTS && !(error instanceof Problem && error.status >= 400 && error.status < 500),
      },
    },
  });
}
