import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import type { Member } from "@/lib/sessions/schemas";

/** The path of one member in the API. */
export function memberPath(userId: string): string {
  return `/settings/members/${userId}`;
}

/** The people of the organization, newest first; those whose name or e-mail address has `q`, unless it is empty. */
export function useMembers(q: string) {
  return useList<Member>({
    queryKey: queryKeys.memberList(q),
    path: q === "" ? "/settings/members" : `/settings/members?q=${encodeURIComponent(q)}`,
    keepsPrevious: true,
  });
}
