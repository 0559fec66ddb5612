import { useQuery } from "@tanstack/react-query";
import { z } from "zod";

import { loadAll } from "@/components/api/load-all";
import { queryKeys } from "@/components/api/query-keys";

const person = z.object({ id: z.string(), name: z.string(), email: z.string() });

export type Person = z.infer<typeof person>;

/** Every user of the organization who can own a record, by name. */
export function usePeople() {
  return useQuery({
    queryKey: queryKeys.records("users", "all"),
    queryFn: async ({ signal }) => {
      const all = await loadAll("/users", person, signal);
      return all.toSorted((one, other) => one.name.localeCompare(other.name));
    },
  });
}
