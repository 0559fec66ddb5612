import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { addMember } from "@/lib/sessions/members/add-member";
import { removeMember } from "@/lib/sessions/members/change-member";
import { findLinkedPerson, setPasswordByLink } from "@/lib/sessions/passwords/use-password-link";
import { inviteOrganization } from "@/lib/sessions/people/organizations";
import { ROOT } from "@/scripts/service/root";
import { type Added, contextOf, NEW_PASSWORD, run, tokenIn } from "@/tests/sessions/support/people";
import { createContext, createOrganization } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const ADDRESS = "192.0.2.7";

const newcomer = () => ({ email: `ada-${newId()}@example.com`, name: "Ada Admin" });

/** Runs the program as an operator does, with the settings of web. */
async function runProgram(...words: string[]) {
  const child = spawn(process.execPath, [join(ROOT, "dist/create-organization.js"), ...words], {
    cwd: ROOT,
    env: { ...process.env, APP_URL: "https://crm.example.com" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { out, err, code: code as number };
}

/** What the audit log of an organization says, in order. */
async function told(name: string): Promise<unknown[]> {
  const { rows } = await pool().query(
    `SELECT action, user_email, details FROM audit_events
     WHERE organization_id = (SELECT id FROM organizations WHERE name = $1) ORDER BY id`,
    [name],
  );
  return rows;
}

test("the operator creates another organization, whose admin sets a password by the link", async () => {
  await createOrganization("First");
  const { email, name } = newcomer();
  const created = await runProgram("Second", email, name);
  expect(created).toMatchObject({ code: 0, err: "" });
  const [link = ""] = /https:\S+/.exec(created.out) ?? [];
  expect(link).toMatch(/^https:\/\/crm\.example\.com\/set-password#[\w-]{43}$/);
  const person = { email, name, organization: "Second" };
  expect(await setPasswordByLink({ token: tokenIn(link), password: NEW_PASSWORD }, ADDRESS)).toEqual(person);
  expect(await told("Second")).toMatchObject([
    { action: "member.added", user_email: null, details: { member_email: email, role: "admin" } },
    { action: "password_link.used", user_email: email, details: { made_by: null } },
  ]);
  const again = await runProgram("Third", email, name);
  expect(again).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(/^Somebody here has this e-mail address/),
  });
  expect(await told("Third")).toEqual([]);
});

test("until the admin has come, the same words make another link in place of the one before", async () => {
  const input = { name: "Waiting", admin: newcomer() };
  const first = tokenIn((await inviteOrganization(input)).url);
  const second = tokenIn((await inviteOrganization(input)).url);
  await expect(findLinkedPerson({ token: first }, ADDRESS)).rejects.toMatchObject({ code: "not_found" });
  await setPasswordByLink({ token: second, password: NEW_PASSWORD }, ADDRESS);
  await expect(inviteOrganization(input)).rejects.toMatchObject({ code: "conflict" });
  expect(await told("Waiting")).toMatchObject([
    { action: "member.added" },
    { action: "password_link.created", user_email: null, details: { member_email: input.admin.email } },
    { action: "password_link.used" },
  ]);
});

test("somebody whom an admin of another organization has added is nobody's to invite, whatever its name", async () => {
  const { organizationId, userId } = await createContext();
  await pool().query("UPDATE organizations SET name = 'Alike' WHERE id = $1", [organizationId]);
  const admin = newcomer();
  await run(addMember, contextOf({ organizationId, userId }), { ...admin, role: "admin" });
  const invite = () => inviteOrganization({ name: "Alike", admin });
  await expect(invite()).rejects.toMatchObject({ code: "conflict" });
  await pool().query("DELETE FROM memberships WHERE user_id = $1", [userId]);
  await expect(invite()).rejects.toMatchObject({ code: "conflict" });
});

test("another name of the person is not the same words", async () => {
  const input = { name: "Named", admin: newcomer() };
  await inviteOrganization(input);
  const other = inviteOrganization({ ...input, admin: { ...input.admin, name: "Eve Admin" } });
  await expect(other).rejects.toMatchObject({ code: "conflict" });
});

test("somebody whom another organization has removed can be the admin of a new one, as another user", async () => {
  const { organizationId, userId } = await createContext();
  const [admin, acting] = [newcomer(), contextOf({ organizationId, userId })];
  const { member } = await run<Added>(addMember, acting, { ...admin, role: "member" });
  await run(removeMember, acting, { user_id: member.user_id });
  const { url } = await inviteOrganization({ name: "Anew", admin });
  expect(await findLinkedPerson({ token: tokenIn(url) }, ADDRESS)).toMatchObject({ organization: "Anew" });
  expect((await pool().query("SELECT FROM users WHERE id = $1", [member.user_id])).rowCount).toBe(0);
});

test("words that will not do are refused with their places", async () => {
  const wrong = inviteOrganization({ name: " ", admin: { email: "nobody", name: "Ada" } });
  await expect(wrong).rejects.toMatchObject({ errors: [{ pointer: "/name" }, { pointer: "/admin/email" }] });
});
