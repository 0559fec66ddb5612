import { beforeEach, describe, expect, test } from "vitest";

import { addMember } from "@/lib/sessions/members/add-member";
import { removeMember, updateMember } from "@/lib/sessions/members/change-member";
import { listMembers } from "@/lib/sessions/members/list-members";
import type { Member } from "@/lib/sessions/schemas";
import { type Arranged, arrange } from "@/tests/oauth/support/fixtures";
import { type Added, colleagueOf, contextOf, newcomer, run, setPassword } from "@/tests/sessions/support/people";
import { isExhaustive } from "@/tests/support/exhaustive";
import { pool } from "@/tests/support/owner";

const ROUNDS = isExhaustive ? 10 : 3;

let admin: Arranged;
let asAdmin: ReturnType<typeof contextOf>;

beforeEach(async () => {
  await pool().query("TRUNCATE throttles");
  admin = await arrange();
  asAdmin = contextOf(admin);
});

const add = (input: object = newcomer()) => run<Added>(addMember, asAdmin, input);
const change = (user_id: string, input: object, context = asAdmin) =>
  run<Member>(updateMember, context, { user_id, ...input });
const list = async () => (await run<{ data: Member[] }>(listMembers, asAdmin)).data;

function reasonsOf(outcomes: readonly PromiseSettledResult<unknown>[]): { code: string }[] {
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as { code: string }] : []));
}

describe("the last admin cannot leave", () => {
  test.each([{ role: "member" }, { is_disabled: true }])("by changing themselves: %o", async (input) => {
    await expect(change(admin.userId, input)).rejects.toMatchObject({ code: "illegal_state" });
    await expect(run(removeMember, asAdmin, { user_id: admin.userId })).rejects.toMatchObject({
      code: "illegal_state",
    });
    expect(await list()).toMatchObject([{ role: "admin", status: "active" }]);
  });

  test("while the only other admin has never signed in, or is disabled", async () => {
    const added = await add({ ...newcomer(), role: "admin" });
    await expect(change(admin.userId, { role: "member" })).rejects.toMatchObject({ code: "illegal_state" });
    await setPassword(added);
    await change(added.member.user_id, { is_disabled: true });
    await expect(change(admin.userId, { role: "member" })).rejects.toMatchObject({ code: "illegal_state" });
    await change(added.member.user_id, { is_disabled: false });
    expect(await change(admin.userId, { role: "member" })).toMatchObject({ role: "member" });
  });

  test.each<[string, (bo: Arranged) => [Promise<unknown>, Promise<unknown>]]>([
    [
      "demote each other",
      (bo) => [change(bo.userId, { role: "member" }), change(admin.userId, { role: "member" }, contextOf(bo))],
    ],
    [
      "disable each other",
      (bo) => [change(bo.userId, { is_disabled: true }), change(admin.userId, { is_disabled: true }, contextOf(bo))],
    ],
    [
      "remove each other",
      (bo) => [
        run(removeMember, asAdmin, { user_id: bo.userId }),
        run(removeMember, contextOf(bo), { user_id: admin.userId }),
      ],
    ],
    [
      "step down both",
      (bo) => [change(admin.userId, { role: "member" }), change(bo.userId, { role: "member" }, contextOf(bo))],
    ],
    [
      "step down and demote the other",
      (bo) => [change(bo.userId, { role: "member" }), change(bo.userId, { role: "member" }, contextOf(bo))],
    ],
  ])("if two admins %s at the same moment, one stays, every time", async (_what, both) => {
    for (let round = 0; round < ROUNDS; round++) {
      admin = await arrange();
      asAdmin = contextOf(admin);
      const bo = await colleagueOf(admin, "admin");
      const outcomes = await Promise.allSettled(both(bo));
      const active = "SELECT FROM memberships WHERE organization_id = $1 AND role = 'admin' AND disabled_at IS NULL";
      expect((await pool().query(active, [admin.organizationId])).rowCount).toBe(1);
      for (const { code } of reasonsOf(outcomes)) expect(["forbidden", "illegal_state"]).toContain(code);
    }
  });
});
