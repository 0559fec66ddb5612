import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { removeMember, updateMember } from "@/lib/sessions/members/change-member";
import { disableOrphanedWebhooks } from "@/lib/webhooks/app-access";
import { getWebhook } from "@/lib/webhooks/endpoints/read-webhooks";
import { run } from "@/tests/records/support/write-operations";
import { toldOf } from "@/tests/sessions/support/people";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { appOf } from "@/tests/webhooks/support/own-app";

test.each<[string, (admin: Context, user_id: string) => Promise<unknown>]>([
  ["is no admin any more", (admin, user_id) => run(updateMember, admin, { user_id, role: "member" })],
  ["is disabled", (admin, user_id) => run(updateMember, admin, { user_id, is_disabled: true })],
  ["is removed", (admin, user_id) => run(removeMember, admin, { user_id })],
])(
  "when an admin %s, webhooks that an app set up in their name are switched off, and those of others stay",
  async (_what, end) => {
    const admin = await createContext();
    const bo = await createContext({ organizationId: admin.organizationId });
    const [theirs, ours] = [await (await appOf(bo)).setUp(), await (await appOf(admin)).setUp()];
    await end(admin, bo.userId);
    expect(await run(getWebhook, admin, { id: theirs })).toMatchObject({
      active: false,
      disabled_reason: "access_ended",
    });
    expect(await run(getWebhook, admin, { id: ours })).toMatchObject({ active: true, disabled_reason: null });
    const told = await toldOf(admin.organizationId, "webhook.disabled");
    expect(told).toMatchObject([{ user_id: admin.userId, details: { webhook_id: theirs, reason: "access_ended" } }]);
  },
);

test("a failure for one organization's webhooks does not keep other organizations' webhooks on", async () => {
  const people = (await Promise.all([createContext(), createContext()])).toSorted((a, b) =>
    a.organizationId < b.organizationId ? -1 : 1,
  );
  const ids = await Promise.all(people.map(async (person) => (await appOf(person)).setUp()));
  await pool().query("DELETE FROM memberships WHERE user_id = ANY ($1)", [people.map(({ userId }) => userId)]);
  const [stuck, ended] = [0, 1].map((at) => ({ context: people[at] as Context, id: ids[at] ?? "" }));
  if (!stuck || !ended) throw new Error("There are two.");
  await pool().query(`ALTER TABLE webhooks ADD CONSTRAINT stuck CHECK (active OR id <> '${stuck.id}') NOT VALID`);
  try {
    await expect(disableOrphanedWebhooks()).rejects.toMatchObject({ constraint: "stuck" });
  } finally {
    await pool().query("ALTER TABLE webhooks DROP CONSTRAINT stuck");
  }
  expect(await run(getWebhook, ended.context, { id: ended.id })).toMatchObject({
    active: false,
    disabled_reason: "access_ended",
  });
  expect(await run(getWebhook, stuck.context, { id: stuck.id })).toMatchObject({ active: true });
});
