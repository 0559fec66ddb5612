import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { member } from "@/lib/sessions/schemas";

/** The path of one member in the API. */
export function memberPath(userId: string): string {
  return `/settings/members/${userId}`;
}

/** The people of the organization, newest first. */
export function useMembers() {
  return useList({ queryKey: queryKeys.members(), path: "/settings/members", item: member });
}
