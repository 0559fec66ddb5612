import { expect, test } from "vitest";

import { endSession, startSession } from "@/lib/sessions/browser-sessions/session-store";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { checkSignIn } from "@/lib/sessions/sign-in/check-sign-in";
import { createSession } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const ADDRESS = "192.0.2.7";
const VISIT = { address: ADDRESS, browser: "Firefox on Linux" };
const PASSWORD = "cobalt harvest lantern 42";

test("failed sign-in, sign-in and sign-out are recorded with person and address, without a password", async () => {
  const email = "ada@example.com";
  const { organizationId } = await createOrganization({
    name: "Alpine Tools",
    admin: { email, name: "Ada Admin", password: PASSWORD },
  });
  const attempt = { email, ...VISIT, deviceMark: null };
  expect(await checkSignIn({ ...attempt, password: "wrong wrong wrong" })).toEqual({ outcome: "refused" });
  const check = await checkSignIn({ ...attempt, password: PASSWORD });
  if (check.outcome !== "accepted") throw new Error(`The right password was ${check.outcome}.`);
  await endSession((await startSession(check)) ?? "", ADDRESS);

  const read = () =>
    pool().query(
      "SELECT action, user_email, address, details FROM audit_events WHERE organization_id = $1 ORDER BY id",
      [organizationId],
    );
  await expect.poll(async () => (await read()).rowCount).toBe(3);
  const { rows } = await read();
  expect(rows.map(({ action }) => action).toSorted()).toEqual(["sign_in.failed", "sign_in.succeeded", "sign_out"]);
  for (const row of rows) expect(row).toMatchObject({ user_email: email, address: ADDRESS });
  for (const { action, details } of rows) {
    const browser = action === "sign_in.succeeded" ? { browser: VISIT.browser } : {};
    expect(details).toEqual(action === "sign_out" ? {} : { method: "password", ...browser });
  }
});

test("ending a session twice is recorded once", async () => {
  const admin = { email: "bo@example.com", name: "Bo Admin", password: PASSWORD };
  const user = await createOrganization({ name: "Beta", admin });
  const id = await createSession(user);
  await Promise.all([endSession(id, ADDRESS), endSession(id, ADDRESS)]);
  const { rowCount } = await pool().query(
    "SELECT FROM audit_events WHERE organization_id = $1 AND action = 'sign_out'",
    [user.organizationId],
  );
  expect(rowCount).toBe(1);
});

test("a sign-in that cannot be recorded in the audit log starts no session", async () => {
  const admin = { email: "cy@example.com", name: "Cy Admin", password: PASSWORD };
  const user = await createOrganization({ name: "Gamma", admin });
  // PostgreSQL's JSON cannot contain NUL, so only the event is refused, not the other row.
  await expect(startSession({ ...user, ...VISIT, method: "pass\u0000word" as "password" })).rejects.toThrow(
    "unsupported Unicode escape",
  );
  expect((await pool().query("SELECT FROM sessions WHERE user_id = $1", [user.userId])).rowCount).toBe(0);
});
