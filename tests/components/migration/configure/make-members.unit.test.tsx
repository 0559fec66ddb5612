import { expect, test } from "vitest";

import { EditingContext, type Editing } from "@/components/migration/configure/draft/use-draft";
import { MakeMembers } from "@/components/migration/configure/owners/make-members";
import type { ListedOwner } from "@/lib/migration/owners/owners-schema";
import { markupOf } from "@/tests/components/support/app-router";

const OWNER = { id: "005", kind: "user", name: "Bo", is_active: true, records: 3, rule: "nobody" };

function shownTo(isAdmin: boolean): string {
  const editing = { migration: { migration_id: "m" }, isAdmin, isLocked: false, isChanged: false };
  return markupOf(
    <EditingContext value={editing as unknown as Editing}>
      <MakeMembers owners={[OWNER as unknown as ListedOwner]} />
    </EditingContext>,
  );
}

test("members are not offered what only admins may do, and are told who can do it", () => {
  expect(shownTo(false)).toContain("1 user is not a member here");
  expect(shownTo(false)).not.toContain("Make disabled members");
  expect(shownTo(false)).toContain("An admin of your organization can make them members here.");
});

test("admins are offered it", () => {
  expect(shownTo(true)).toContain("Make disabled members");
});
