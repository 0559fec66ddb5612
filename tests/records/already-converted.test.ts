import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { convertLead } from "@/lib/records/lead-conversion/convert-lead";
import { createOperation, deleteOperation, restoreOperation } from "@/lib/records/operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { run } from "@/tests/records/support/write-operations";

const LEAD = { last_name: "Example", company: "Alpine Tools" };

interface Converted {
  account: { id: string };
  contact: { id: string };
  opportunity: { id: string } | null;
}

async function convert(context: Context, input: object): Promise<Converted> {
  return (await run(convertLead, context, input)) as unknown as Converted;
}

test("a repeated conversion also names the ids of deleted records, as long as they can be restored", async () => {
  const context = await createContext();
  const { id } = await run(createOperation("leads"), context, LEAD);
  const made = await convert(context, { id, create_opportunity: { name: "Sale", close_date: "2027-01-31" } });
  const records = { account_id: made.account.id, contact_id: made.contact.id, opportunity_id: made.opportunity?.id };
  const again = async () =>
    (await convert(context, { id }).catch((error: unknown) => error)) as { message: string; records: object };
  expect(await again()).toMatchObject({ records, message: expect.not.stringContaining("deleted") });
  await run(deleteOperation("opportunities"), context, { id: made.opportunity?.id });
  await run(deleteOperation("accounts"), context, { id: made.account.id });
  const refused = await again();
  expect(refused.records).toEqual(records);
  expect(refused.message).toMatch(/The account was deleted and can be restored. The opportunity was deleted/);
  expect(refused.message).not.toContain("The contact has");
  await run(restoreOperation("accounts"), context, { id: made.account.id });
  expect((await again()).message).not.toContain("The account has");
  await pool().query("UPDATE deleted_records SET deleted_at = now() - interval '31 days' WHERE organization_id = $1", [
    context.organizationId,
  ]);
  await run(deleteOperation("contacts"), context, { id: made.contact.id });
  await pool().query("DELETE FROM deleted_records WHERE organization_id = $1", [context.organizationId]);
  const late = await again();
  expect(late.records).toEqual({ account_id: made.account.id });
  expect(late.message).toContain("The contact was deleted and can no longer be restored.");
});

test("a repeated conversion says when none of its records is left", async () => {
  const context = await createContext();
  const { id } = await run(createOperation("leads"), context, LEAD);
  const made = await convert(context, { id });
  for (const [resource, part] of [["accounts", made.account] as const, ["contacts", made.contact] as const]) {
    await run(deleteOperation(resource), context, { id: part.id });
  }
  await pool().query("DELETE FROM deleted_records WHERE organization_id = $1", [context.organizationId]);
  await expect(convert(context, { id })).rejects.toMatchObject({
    code: "conflict",
    records: {},
    message: expect.not.stringContaining("`records`"),
  });
});

test("a repeated conversion reveals no deletions of another organization", async () => {
  const context = await createContext();
  const { id } = await run(createOperation("leads"), context, LEAD);
  const made = await convert(context, { id });
  await run(deleteOperation("accounts"), context, { id: made.account.id });
  await pool().query("UPDATE deleted_records SET organization_id = $2 WHERE organization_id = $1", [
    context.organizationId,
    (await createContext()).organizationId,
  ]);
  await expect(convert(context, { id })).rejects.toMatchObject({ records: { contact_id: made.contact.id } });
});
