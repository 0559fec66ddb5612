import { describe, expect, test } from "vitest";

import { convertLead } from "@/lib/records/lead-conversion/convert-lead";
import {
  createOperation,
  deleteOperation,
  getOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import { callRoute } from "@/tests/http/support/call-route";
import { createAccessToken, createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { type Answer, eventsOf, refusal, run } from "@/tests/records/support/write-operations";

const LEAD = {
  first_name: "Ada",
  last_name: "Example",
  company: "Alpine Tools",
  title: "Buyer",
  email: "ada@example.com",
  phone: "+41 1",
  mobile_phone: "+41 2",
  website: "https://alpine.example",
  source: "web",
  rating: "hot",
  industry: "Tools",
  annual_revenue: 1_000_000.5,
  number_of_employees: 12,
  address_street: "Bergweg 1",
  address_country: "Switzerland",
  description: "Met at the fair.",
};

interface Converted {
  lead: Answer;
  account: { id: string; created: boolean };
  contact: { id: string; created: boolean };
  opportunity: { id: string; created: boolean } | null;
}

async function convert(context: Awaited<ReturnType<typeof createContext>>, input: object): Promise<Converted> {
  return (await run(convertLead, context, input)) as unknown as Converted;
}

describe("converting a lead", () => {
  test("makes an account and a contact of its fields, owned by the lead's owner, and emits its own event", async () => {
    const context = await createContext();
    const lead = await run(createOperation("leads"), context, LEAD);
    const colleague = await createContext({ organizationId: context.organizationId });
    const made = await convert(colleague, { id: lead.id });
    expect(made).toMatchObject({ account: { created: true }, contact: { created: true }, opportunity: null });
    expect(made.lead).toMatchObject({
      status: "converted",
      converted_at: expect.any(String),
      converted_account_id: made.account.id,
      converted_contact_id: made.contact.id,
      converted_opportunity_id: null,
      version: 2,
    });
    expect(await run(getOperation("leads"), context, { id: lead.id })).toEqual(made.lead);
    expect(await run(getOperation("accounts"), context, { id: made.account.id })).toMatchObject({
      name: "Alpine Tools",
      phone: "+41 1",
      website: "https://alpine.example",
      industry: "Tools",
      rating: "hot",
      annual_revenue: 1_000_000.5,
      number_of_employees: 12,
      billing_street: "Bergweg 1",
      billing_country: "Switzerland",
      owner_id: context.userId,
    });
    expect(await run(getOperation("contacts"), context, { id: made.contact.id })).toMatchObject({
      account_id: made.account.id,
      first_name: "Ada",
      last_name: "Example",
      title: "Buyer",
      email: "ada@example.com",
      phone: "+41 1",
      mobile_phone: "+41 2",
      lead_source: "web",
      mailing_street: "Bergweg 1",
      mailing_country: "Switzerland",
      description: "Met at the fair.",
      owner_id: context.userId,
    });
    const emitted = await eventsOf(lead.id);
    expect(emitted.map(({ type }) => type)).toEqual(["lead.created", "lead.updated", "lead.converted"]);
    expect(emitted[2]).toMatchObject({ object: made.lead, previous: { status: "new", converted_account_id: null } });
    expect((await eventsOf(made.account.id)).map(({ type }) => type)).toEqual(["account.created"]);
    expect((await eventsOf(made.contact.id)).map(({ type }) => type)).toEqual(["contact.created"]);
  });

  test("makes an opportunity if requested, for the requested owner", async () => {
    const context = await createContext();
    const colleague = await createContext({ organizationId: context.organizationId });
    const { id } = await run(createOperation("leads"), context, LEAD);
    const wish = { name: "Hundred drills", close_date: "2027-01-31", amount: 1200.5, currency: "CHF" };
    const made = await convert(context, {
      id,
      account_name: "Other name",
      create_opportunity: wish,
      owner_id: colleague.userId,
    });
    const ids = { account_id: made.account.id, contact_id: made.contact.id, owner_id: colleague.userId };
    expect(await run(getOperation("opportunities"), context, { id: made.opportunity?.id })).toMatchObject({
      ...wish,
      ...ids,
      stage: "prospecting",
      probability: 10,
      lead_source: "web",
    });
    expect(await run(getOperation("accounts"), context, { id: made.account.id })).toMatchObject({
      name: "Other name",
      owner_id: colleague.userId,
    });
    expect(made.lead.converted_opportunity_id).toBe(made.opportunity?.id);
  });

  test("existing records get values only for empty fields", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("leads"), context, LEAD);
    const account = await run(createOperation("accounts"), context, { name: "Alpine Tools AG", industry: "Machines" });
    const contact = await run(createOperation("contacts"), context, {
      last_name: "Example-Muster",
      account_id: account.id,
      email: "a@alpine.example",
    });
    const made = await convert(context, { id, contact_id: contact.id });
    expect(made).toMatchObject({
      account: { id: account.id, created: false },
      contact: { id: contact.id, created: false },
    });
    expect(await run(getOperation("accounts"), context, { id: account.id })).toMatchObject({
      name: "Alpine Tools AG",
      industry: "Machines",
      website: "https://alpine.example",
      version: 2,
    });
    expect(await run(getOperation("contacts"), context, { id: contact.id })).toMatchObject({
      last_name: "Example-Muster",
      email: "a@alpine.example",
      first_name: "Ada",
      version: 2,
    });
    expect((await eventsOf(account.id)).map(({ type }) => type)).toEqual(["account.created", "account.updated"]);
  });

  test("a contact without an account gets the account", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("leads"), context, LEAD);
    const contact = await run(createOperation("contacts"), context, NEEDED.contacts);
    const made = await convert(context, { id, contact_id: contact.id });
    expect(made.account.created).toBe(true);
    expect(await run(getOperation("contacts"), context, { id: contact.id })).toMatchObject({
      account_id: made.account.id,
    });
  });

  test("activities move from the lead to what it became, and keep their other references", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("leads"), context, LEAD);
    const elsewhere = await insertRecord("accounts", context.organizationId);
    const [plain, bound] = [{}, { account_id: elsewhere }].map((fields) =>
      run(createOperation("activities"), context, { ...NEEDED.activities, lead_id: id, ...fields }),
    );
    const before = [await plain, await bound];
    const made = await convert(context, { id, create_opportunity: { name: "Sale", close_date: "2027-01-31" } });
    const [first, second] = await Promise.all(
      before.map((activity) => run(getOperation("activities"), context, { id: activity?.id })),
    );
    const ids = {
      account_id: made.account.id,
      contact_id: made.contact.id,
      opportunity_id: made.opportunity?.id,
      lead_id: null,
      version: 2,
    };
    expect(first).toMatchObject(ids);
    expect(second).toMatchObject({ ...ids, account_id: elsewhere });
  });

  test("happens once: of 8 concurrent conversions one succeeds, and the others name its records", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("leads"), context, LEAD);
    const wish = { id, create_opportunity: { name: "Sale", close_date: "2027-01-31" } };
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => convert(context, wish)));
    const done = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(done).toHaveLength(1);
    const records = {
      account_id: done[0]?.account.id,
      contact_id: done[0]?.contact.id,
      opportunity_id: done[0]?.opportunity?.id,
    };
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
    expect(refused).toHaveLength(7);
    for (const reason of refused) expect(reason).toMatchObject({ code: "conflict", records, errors: [] });
    for (const resource of ["accounts", "contacts", "opportunities"]) {
      const { rows } = await pool().query(`SELECT id FROM ${resource} WHERE organization_id = $1`, [
        context.organizationId,
      ]);
      expect(rows).toHaveLength(1);
    }
    const token = await createAccessToken(context);
    const again = await callRoute("POST", `/leads/${id}/convert`, { authorization: `Bearer ${token}` }, {});
    expect([again.status, JSON.parse(again.text)]).toMatchObject([409, { code: "conflict", records }]);
  });

  test.each<[string, object, string]>([
    ["a lead without a company determines no account", { company: null }, "/account_name invalid_value"],
    ["two accounts are asked for", { account_id: "own", account_name: "x" }, "/account_name invalid_value"],
    [
      "the contact belongs to another account",
      { account_id: "own", contact_id: "other's" },
      "/contact_id invalid_value",
    ],
    [
      "the contact belongs to an account already",
      { account_name: "New", contact_id: "other's" },
      "/contact_id invalid_value",
    ],
    ["the account is another organization's", { account_id: "foreign" }, "/account_id not_found"],
    ["the owner is nobody of the organization", { owner_id: "foreign" }, "/owner_id not_found"],
    [
      "the opportunity lacks its name",
      { create_opportunity: { close_date: "2027-01-31" } },
      "/create_opportunity/name required",
    ],
    ["a field is not known", { acount_id: "own" }, "/acount_id unknown_field"],
  ])("nothing is converted when %s", async (_, given, fault) => {
    const context = await createContext();
    const stranger = await createContext();
    const own = await insertRecord("accounts", context.organizationId);
    const other = await insertRecord("accounts", context.organizationId);
    const ids: Record<string, string> = {
      own,
      "other's": await insertRecord("contacts", context.organizationId, { account_id: other }),
      foreign: "owner_id" in given ? stranger.userId : await insertRecord("accounts", stranger.organizationId),
    };
    const { company, ...asked } = given as Record<string, unknown>;
    const lead = await run(createOperation("leads"), context, { ...LEAD, ...(company === null && { company: null }) });
    const input = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, ids[String(value)] ?? value]));
    expect(await refusal(convert(context, { id: lead.id, ...input }))).toEqual({
      code: "invalid_request",
      errors: [fault],
    });
    expect(await run(getOperation("leads"), context, { id: lead.id })).toEqual(lead);
    expect(
      (await pool().query("SELECT FROM contacts WHERE organization_id = $1", [context.organizationId])).rowCount,
    ).toBe(1);
  });

  test("cannot be bypassed: setting the status is refused, with the name of the action", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("leads"), context, LEAD);
    for (const [operation, input] of [
      [updateOperation("leads"), { id, status: "converted" }],
      [createOperation("leads"), { ...LEAD, status: "converted" }],
    ] as const) {
      await expect(run(operation, context, input)).rejects.toThrow("POST /api/v1/leads/{id}/convert");
      expect(await refusal(run(operation, context, input))).toEqual({
        code: "invalid_request",
        errors: ["/status use_action"],
      });
    }
  });

  test("is final: the lead can no longer be changed, but can be deleted and restored", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("leads"), context, LEAD);
    const { lead } = await convert(context, { id });
    expect(await refusal(run(updateOperation("leads"), context, { id, status: "new" }))).toEqual({
      code: "illegal_state",
      errors: [" converted"],
    });
    expect(await run(updateOperation("leads"), context, { id, company: lead.company })).toEqual(lead);
    await run(deleteOperation("leads"), context, { id });
    expect(await run(restoreOperation("leads"), context, { id })).toMatchObject({
      converted_account_id: lead.converted_account_id,
    });
  });

  test("of another organization is not found; and it needs crm:write", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("leads"), context, LEAD);
    expect(await refusal(convert(await createContext(), { id }))).toMatchObject({ code: "not_found" });
    expect(await refusal(convert(context, { id: "1" }))).toMatchObject({ code: "not_found" });
    const reader = await createContext({ organizationId: context.organizationId, scopes: ["crm:read"] });
    expect(await refusal(convert(reader, { id }))).toMatchObject({ code: "insufficient_scope" });
  });
});
