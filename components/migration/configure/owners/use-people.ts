import { useQuery } from "@tanstack/react-query";

import { loadAll } from "@/components/api/load-all";
import { queryKeys } from "@/components/api/query-keys";

export interface Person {
  id: string;
  name: string;
  email: string;
}

/** Every user of the organization who can own a record, by name. */
export function usePeople() {
  return useQuery({
    queryKey: queryKeys.records("users", "all"),
    queryFn: async ({ signal }) => {
      const all = await loadAll<Person>("/users", signal);
      return all.toSorted((one, other) => one.name.localeCompare(other.name));
    },
  });
}
