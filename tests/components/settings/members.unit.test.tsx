import { expect, test } from "vitest";

import { leftOutOf } from "@/components/records/list/view/left-out";
import { readView } from "@/components/records/list/view/list-view";
import { memberColumns } from "@/components/settings/members/member-columns";
import { OwnedRecords } from "@/components/settings/members/owned-records";
import { actionsFor, questionOf } from "@/components/settings/members/questions";
import { RESOURCES } from "@/lib/records/schema/resources";
import type { Member } from "@/lib/sessions/schemas";
import { markupOf } from "@/tests/components/support/app-router";

const MEMBER: Member = {
  user_id: "01900000-0000-7000-8000-000000000001",
  name: "Nia",
  email: "nia@demo.example",
  role: "member",
  status: "active",
  has_password: true,
  joined_at: "2026-01-01T00:00:00.000Z",
  sessions: 0,
  last_used_at: null,
  link_expires_at: null,
};

function statusOf(changes: Partial<Member>): string {
  const column = memberColumns("another", () => undefined).find(({ key }) => key === "status");
  return markupOf(column?.cell({ ...MEMBER, ...changes })).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, " ");
}

test("a member whose link has ended unused is told from one who may still use it", () => {
  expect(statusOf({ status: "invited", link_expires_at: "2026-01-02T00:00:00.000Z" })).toContain("One-time link made");
  expect(statusOf({ status: "invited" })).toContain("One-time link no longer works");
  expect(statusOf({})).not.toContain("link");
});

test("before a member goes, links lead to all that they own, so that it can get another owner", () => {
  const asked = actionsFor(MEMBER, false).filter((action) => action !== "invite");
  const withLinks = asked.filter((action) => questionOf(action, MEMBER, false).ownerId === MEMBER.user_id);
  expect(withLinks).toEqual(["disable", "remove"]);
  const links = [...markupOf(<OwnedRecords ownerId={MEMBER.user_id} />).matchAll(/href="\/(\w+)\?([^"]+)"/g)];
  expect(links.map(([, resource]) => resource).toSorted()).toEqual(RESOURCES.toSorted());
  for (const resource of RESOURCES) {
    const query = new URLSearchParams(links.find(([, name]) => name === resource)?.[2]);
    expect(leftOutOf(resource, query, readView(resource, query, null))).toEqual([]);
    expect(readView(resource, query, null).filters).toEqual({ owner_id: MEMBER.user_id });
  }
});
