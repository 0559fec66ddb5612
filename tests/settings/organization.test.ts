import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { pool as service } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { renameOneself } from "@/lib/sessions/people/rename-oneself";
import type { OrganizationSettings } from "@/lib/settings/organization/organization-schema";
import { getOrganization } from "@/lib/settings/organization/read-organization";
import { updateOrganization } from "@/lib/settings/organization/update-organization";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { untilWindowLasts } from "@/tests/support/throttle-window";

async function run<Output>(operation: Operation, context: Context, input: unknown = {}): Promise<Output> {
  return valueOf(await execute(operation, context, input)) as Output;
}

const read = (context: Context) => run<OrganizationSettings>(getOrganization, context);
const update = (context: Context, changes: unknown) => run<OrganizationSettings>(updateOrganization, context, changes);

async function auditOf({ organizationId }: Context, action: string): Promise<unknown[]> {
  const text = "SELECT details FROM audit_events WHERE organization_id = $1 AND action = $2 ORDER BY id";
  const { rows } = await pool().query<{ details: unknown }>(text, [organizationId, action]);
  return rows.map(({ details }) => details);
}

test("an admin changes name, currency and time zone; members read them; the audit log has what changed", async () => {
  const admin = await createContext();
  const member = await createContext({ organizationId: admin.organizationId, role: "member" });
  expect(await read(member)).toMatchObject({ name: "Alpine Tools", currency: null, time_zone: null, version: 1 });
  const changes = { name: " Alpine Works ", currency: "CHF", time_zone: "Europe/Zurich" };
  expect(await update(admin, changes)).toMatchObject({ ...changes, name: "Alpine Works", version: 2 });
  expect(await update(admin, { currency: null })).toMatchObject({ currency: null, time_zone: "Europe/Zurich" });
  expect(await read(member)).toMatchObject({ name: "Alpine Works", currency: null, version: 3 });
  expect(await auditOf(admin, "organization.updated")).toEqual([
    {
      before: { name: "Alpine Tools", currency: null, time_zone: null },
      after: { ...changes, name: "Alpine Works" },
    },
    expect.objectContaining({ after: { name: "Alpine Works", currency: null, time_zone: "Europe/Zurich" } }),
  ]);
});

test("what is as it was raises no version and leaves no trace", async () => {
  const admin = await createContext();
  expect(await update(admin, { name: "Alpine Tools" })).toMatchObject({ version: 1 });
  expect(await auditOf(admin, "organization.updated")).toEqual([]);
});

test("a change of another version than the present one is refused", async () => {
  const admin = await createContext();
  await update(admin, { currency: "EUR" });
  const seen = { ...admin, preconditions: { ifMatch: [{ isWeak: false, tag: "1" }] } };
  await expect(update(seen, { currency: "USD" })).rejects.toMatchObject({ code: "precondition_failed" });
  expect(await read(admin)).toMatchObject({ currency: "EUR" });
});

test.each([
  ["/currency", { currency: "EURO" }],
  ["/currency", { currency: "XQZ" }],
  ["/time_zone", { time_zone: "Mars/Olympus" }],
  ["/time_zone", { time_zone: "+01:00" }],
  ["/name", { name: " " }],
])("a fault at %s is refused: %j", async (pointer, changes) => {
  await expect(update(await createContext(), changes)).rejects.toMatchObject({ errors: [{ pointer }] });
});

test("somebody who is no admin, or no longer, changes nothing", async () => {
  const admin = await createContext();
  const member = await createContext({ organizationId: admin.organizationId, role: "member" });
  await expect(update(member, { name: "Mine" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(update({ ...member, role: "admin" }, { name: "Mine" })).rejects.toMatchObject({ code: "forbidden" });
});

test("storage is measured soon after the first look, by kind", async () => {
  const context = await createContext();
  for (let count = 0; count < 20; count += 1)
    await insertRecord("accounts", context.organizationId, { name: "A name that takes some room" });
  expect((await read(context)).storage).toMatchObject({ measured_at: null, kinds: null });
  await expect.poll(async () => (await read(context)).storage.kinds).not.toBeNull();
  const { storage } = await read(context);
  expect(storage.kinds?.records).toBeGreaterThan(2000);
  expect(storage.kinds?.files).toBe(0);
  expect(Object.values(storage.kinds ?? {}).reduce((sum, bytes) => sum + bytes, 0)).toBe(storage.used_bytes);
});

test("people change their own name, and nobody else's", async () => {
  const context = await createContext({ role: "member" });
  const colleague = await createContext({ organizationId: context.organizationId });
  expect(await run(renameOneself, context, { name: " Ada Lovelace " })).toEqual({ name: "Ada Lovelace" });
  const { rows } = await pool().query<{ name: string }>("SELECT name FROM users WHERE id = ANY ($1) ORDER BY id", [
    [context.userId, colleague.userId],
  ]);
  expect(rows).toEqual([{ name: "Ada Lovelace" }, { name: "Ada Example" }]);
  expect(await auditOf(context, "person.renamed")).toEqual([{ before: "Ada Example", after: "Ada Lovelace" }]);
  await expect(run(renameOneself, context, { name: "" })).rejects.toMatchObject({ errors: [{ pointer: "/name" }] });
});

test("people change their own name twenty times an hour, since the audit log keeps each change", async () => {
  await untilWindowLasts(3600);
  const context = await createContext({ role: "member" });
  for (let index = 0; index < 20; index += 1) await run(renameOneself, context, { name: `Ada ${index}` });
  await expect(run(renameOneself, context, { name: "Ada" })).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await auditOf(context, "person.renamed")).toHaveLength(20);
});

test("as long as the organization exists, the service can delete nothing from its audit log", async () => {
  const admin = await createContext();
  await update(admin, { currency: "EUR" });
  const text = "DELETE FROM audit_events WHERE organization_id = $1";
  await expect(
    inOrganization(admin.organizationId, () => service().query(text, [admin.organizationId])),
  ).rejects.toThrow("append-only");
});
