import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { MemberList } from "@/components/settings/members/member-list";
import type { Member } from "@/lib/sessions/schemas";
import { markupOf } from "@/tests/components/support/app-router";

const member = (name: string, status: Member["status"]) => ({
  user_id: name,
  name,
  email: `${name}@example.com`,
  role: "member",
  status,
  sessions: 0,
});

/** The names in the list, in their order, if the server has these members, and more than they. */
function namesOf(members: readonly object[], hasMore: boolean): string[] {
  const queries = new QueryClient();
  const pages = [{ data: members, next_cursor: hasMore ? "next" : null, has_more: hasMore }];
  queries.setQueryData(queryKeys.memberList(""), { pages, pageParams: [undefined] });
  const page = markupOf(<MemberList selfId="ada" />, queries);
  return [...page.matchAll(/<th scope="row"[^>]*>.*?<bdi>(\w+)<\/bdi>/g)].map(([, name = ""]) => name);
}

test("members who are disabled stand below the others once all are loaded", () => {
  const members = [
    member("old", "disabled"),
    member("ida", "invited"),
    member("gone", "disabled"),
    member("ada", "active"),
  ];
  expect(namesOf(members, false)).toEqual(["ida", "ada", "old", "gone"]);
  expect(namesOf(members, true)).toEqual(["old", "ida", "gone", "ada"]);
});
