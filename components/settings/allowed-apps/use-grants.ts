import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { grant } from "@/components/settings/allowed-apps/grant";

/** What the signed-in person has allowed, newest first. */
export function useGrants() {
  return useList({ queryKey: queryKeys.grants(), path: "/settings/grants", item: grant });
}
