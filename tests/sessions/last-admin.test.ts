import { describe, expect, test } from "vitest";

import { removeMember } from "@/lib/sessions/members/change-member";
import { type Arranged, arrange } from "@/tests/oauth/support/fixtures";
import {
  addAs,
  changeAs,
  colleagueOf,
  contextOf,
  membersOf,
  newcomer,
  reasonsOf,
  run,
  setPassword,
  useAdmin,
} from "@/tests/sessions/support/people";
import { isExhaustive } from "@/tests/support/exhaustive";
import { pool } from "@/tests/support/owner";

const ROUNDS = isExhaustive ? 10 : 3;

const admin = useAdmin();

describe("the last admin cannot leave", () => {
  test.each([{ role: "member" }, { is_disabled: true }])("by changing themselves: %o", async (input) => {
    await expect(changeAs(admin, admin.userId, input)).rejects.toMatchObject({ code: "illegal_state" });
    await expect(run(removeMember, contextOf(admin), { user_id: admin.userId })).rejects.toMatchObject({
      code: "illegal_state",
    });
    expect(await membersOf(admin)).toMatchObject([{ role: "admin", status: "active" }]);
  });

  test("while the only other admin has never signed in, or is disabled", async () => {
    const added = await addAs(admin, { ...newcomer(), role: "admin" });
    await expect(changeAs(admin, admin.userId, { role: "member" })).rejects.toMatchObject({ code: "illegal_state" });
    await setPassword(added);
    await changeAs(admin, added.member.user_id, { is_disabled: true });
    await expect(changeAs(admin, admin.userId, { role: "member" })).rejects.toMatchObject({ code: "illegal_state" });
    await changeAs(admin, added.member.user_id, { is_disabled: false });
    expect(await changeAs(admin, admin.userId, { role: "member" })).toMatchObject({ role: "member" });
  });

  test.each<[string, (bo: Arranged) => [Promise<unknown>, Promise<unknown>]]>([
    [
      "demote each other",
      (bo) => [changeAs(admin, bo.userId, { role: "member" }), changeAs(bo, admin.userId, { role: "member" })],
    ],
    [
      "disable each other",
      (bo) => [changeAs(admin, bo.userId, { is_disabled: true }), changeAs(bo, admin.userId, { is_disabled: true })],
    ],
    [
      "remove each other",
      (bo) => [
        run(removeMember, contextOf(admin), { user_id: bo.userId }),
        run(removeMember, contextOf(bo), { user_id: admin.userId }),
      ],
    ],
    [
      "step down both",
      (bo) => [changeAs(admin, admin.userId, { role: "member" }), changeAs(bo, bo.userId, { role: "member" })],
    ],
    [
      "step down and demote the other",
      (bo) => [changeAs(admin, bo.userId, { role: "member" }), changeAs(bo, bo.userId, { role: "member" })],
    ],
  ])("if two admins %s at the same moment, one stays, every time", async (_what, both) => {
    for (let round = 0; round < ROUNDS; round++) {
      Object.assign(admin, await arrange());
      const bo = await colleagueOf(admin, "admin");
      const outcomes = await Promise.allSettled(both(bo));
      const active = "SELECT FROM memberships WHERE organization_id = $1 AND role = 'admin' AND disabled_at IS NULL";
      expect((await pool().query(active, [admin.organizationId])).rowCount).toBe(1);
      for (const { code } of reasonsOf(outcomes)) expect(["forbidden", "illegal_state"]).toContain(code);
    }
  });
});
