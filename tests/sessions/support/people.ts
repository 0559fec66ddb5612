import { randomBytes } from "node:crypto";

import { beforeEach, expect } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { addMember } from "@/lib/sessions/members/add-member";
import { updateMember } from "@/lib/sessions/members/change-member";
import { listMembers } from "@/lib/sessions/members/list-members";
import type { Member } from "@/lib/sessions/schemas";
import type { role } from "@/lib/generated/prisma/enums";
import { type Arranged, arrange, BASE_URL, insertPerson, PASSWORD } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import { type Browser, signInBrowser } from "@/scripts/demo/obtain-access-token";
import { pool } from "@/tests/support/owner";

export const NEW_PASSWORD = "cobalt harvest lantern 42";

export function contextOf(
  { organizationId, userId }: { organizationId: string; userId: string },
  role: role = "admin",
): Context {
  return { requestId: newId(), organizationId, userId, role, clientId: null, scopes: new Set(), address: "192.0.2.1" };
}

export async function run<Output>(operation: Operation, context: Context, input: unknown = {}): Promise<Output> {
  return valueOf(await execute(operation, context, input)) as Output;
}

export function signIn(email: string, password = PASSWORD): Promise<Browser> {
  return signInBrowser({ baseUrl: BASE_URL, email, password, fetch: send });
}

/** The admin of a new organization for each test, without the throttles of the tests before. Call once, at the top. */
export function useAdmin(): Arranged {
  const admin = {} as Arranged;
  beforeEach(async () => {
    await pool().query("TRUNCATE throttles");
    Object.assign(admin, await arrange());
  });
  return admin;
}

/** Another signed-in person of the same organization, with the same client. */
export async function colleagueOf(arranged: Arranged, role: role = "member"): Promise<Arranged> {
  const email = `bo-${randomBytes(6).toString("hex")}@example.com`;
  const userId = await insertPerson({ organizationId: arranged.organizationId, email, name: "Bo Member", role });
  return { ...arranged, userId, email, browser: await signIn(email) };
}

/** What the API answers to the cookies of a browser. */
export async function opensWith(cookie: string): Promise<number> {
  return (await send(`${BASE_URL}/api/v1/accounts`, { headers: { cookie } })).status;
}

/** Sends JSON as one of our own pages does. */
export function sendJson(
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const own = { "content-type": "application/json", origin: BASE_URL, "x-forwarded-for": "192.0.2.1" };
  return send(`${BASE_URL}${path}`, { method, headers: { ...own, ...headers }, body: JSON.stringify(body) });
}

interface Told {
  action: string;
  user_id: string | null;
  address: string | null;
  details: Record<string, unknown>;
}

/** The audit log's entries of these actions, oldest first. */
export async function toldOf(organizationId: string, ...actions: string[]): Promise<Told[]> {
  const text = `SELECT action, user_id, address, details FROM audit_events
    WHERE organization_id = $1 AND action = ANY ($2)
      ORDER BY id`;
  return (await pool().query<Told>(text, [organizationId, actions])).rows;
}

/** The token in a one-time link. */
export function tokenIn(url: string): string {
  return new URL(url).hash.slice(1);
}

/** An added member, as the response has it. */
export interface Added {
  member: Member;
  link: { url: string; expires_at: string };
}

export const newcomer = () => ({ name: "Cy Newcomer", email: `cy-${newId()}@example.com`, role: "member" as const });

export function addAs(admin: Arranged, input: object = newcomer()): Promise<Added> {
  return run(addMember, contextOf(admin), input);
}

export function changeAs(admin: Arranged, user_id: string, input: object): Promise<Member> {
  return run(updateMember, contextOf(admin), { user_id, ...input });
}

export async function membersOf(admin: Arranged): Promise<Member[]> {
  return (await run<{ data: Member[] }>(listMembers, contextOf(admin))).data;
}

/** Makes a user a member of another organization as well. */
export async function join(userId: string, organizationId: string, role: role): Promise<void> {
  const text = "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, now())";
  await pool().query(text, [organizationId, userId, role]);
}

/** Sets the password of an added member by their link. */
export async function setPassword({ link }: Added): Promise<void> {
  expect(
    (await sendJson("PUT", "/api/auth/password-link", { token: tokenIn(link.url), password: NEW_PASSWORD })).status,
  ).toBe(200);
}

/** Why some of these were refused. */
export function reasonsOf(outcomes: readonly PromiseSettledResult<unknown>[]): { code: string }[] {
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as { code: string }] : []));
}
