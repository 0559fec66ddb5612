import { expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { TOOLS } from "@/lib/mcp/tools/all";
import { RESOURCES } from "@/lib/records/schema/resources";
import { connect } from "@/tests/mcp/support/connect";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

/** The structured result of a call that must succeed. */
async function call(client: Awaited<ReturnType<typeof connect>>, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as { text: string }[];
  expect(result.isError ? content?.text : undefined).toBeUndefined();
  expect(JSON.parse(content?.text ?? "")).toEqual(result.structuredContent);
  return result.structuredContent as Record<string, never>;
}

test("a working day: find a contact, log a call, move an opportunity, escalate a case, convert a lead", async () => {
  const client = await connect(await createContext());
  const account = await call(client, "create_record", { object: "accounts", fields: { name: "Acme" } });
  const contact = await call(client, "create_record", {
    object: "contacts",
    fields: { last_name: "Lovelace", first_name: "Ada", account_id: account.id },
  });
  const found = await call(client, "search", { query: "ada love" });
  expect(found).toMatchObject({ data: [{ object: "contacts", id: contact.id }], more: [] });
  const asked = { type: "call", subject: "Asked about pumps", contact_id: contact.id };
  expect(await call(client, "log_activity", asked)).toMatchObject({ fields: { account_id: account.id } });
  expect(await call(client, "get_timeline", { object: "contacts", id: contact.id })).toMatchObject({
    activities: { data: [{ fields: { subject: "Asked about pumps", status: "completed" } }] },
  });
  const deal = await call(client, "create_record", {
    object: "opportunities",
    fields: { name: "Pumps", stage: "prospecting", close_date: "2030-01-31", amount: 1000, currency: "EUR" },
  });
  const moved = await call(client, "change_stage", {
    id: deal.id,
    expected_version: deal.version,
    stage: "proposal",
  });
  expect(moved).toMatchObject({ fields: { stage: "proposal" }, version: 2 });
  expect(await call(client, "pipeline_summary")).toMatchObject({
    data: [{ stage: "proposal", opportunities: 1, amounts: [{ currency: "EUR", amount: 1000 }] }],
  });
  const opened = await call(client, "create_record", { object: "cases", fields: { subject: "Leaking pump" } });
  expect(
    await call(client, "escalate_case", {
      id: opened.id,
      expected_version: opened.version,
      reason: "Water everywhere",
    }),
  ).toMatchObject({ fields: { is_escalated: true } });
  const lead = await call(client, "create_record", {
    object: "leads",
    fields: { last_name: "Hopper", company: "Cobol Ltd" },
  });
  expect(await call(client, "convert_lead", { id: lead.id, expected_version: lead.version })).toMatchObject({
    lead: { fields: { status: "converted" } },
    account: { created: true },
  });
  expect(await call(client, "get_related", { object: "accounts", id: account.id })).toMatchObject({ data: [] });
});

test("an activity is logged with the time when it was, and planned with those when it is to be", async () => {
  const client = await connect(await createContext());
  const times = { start_at: "2026-03-02T09:00:00.000Z", end_at: "2026-03-02T10:00:00.000Z" };
  const past = { type: "call", subject: "Asked", completed_at: "2026-03-01T10:00:00+01:00" };
  expect(await call(client, "log_activity", past)).toMatchObject({
    fields: { status: "completed", completed_at: "2026-03-01T09:00:00.000Z" },
  });
  const planned = await call(client, "log_activity", { type: "event", subject: "Plan", is_done: false, ...times });
  expect(planned).toMatchObject({ fields: { status: "not_started", ...times } });
  const task = await call(client, "log_activity", { type: "task", subject: "Send the offer", due_date: "2026-12-20" });
  expect(task).toMatchObject({ fields: { status: "not_started", due_date: "2026-12-20" } });
  const refused = await client.callTool({ name: "log_activity", arguments: { ...past, is_done: false } });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("still to do") }] });
});

test("an activity is found with the customer of what it is about, unless it names another", async () => {
  const client = await connect(await createContext());
  const create = (object: string, fields: object) => call(client, "create_record", { object, fields });
  const [account, other] = [await create("accounts", { name: "Acme" }), await create("accounts", { name: "Other" })];
  const contact = await create("contacts", { last_name: "Lovelace", account_id: account.id });
  const bare = await create("contacts", { last_name: "Hopper" });
  const theCase = await create("cases", { subject: "Leak", account_id: other.id, contact_id: contact.id });
  const log = async (links: object) =>
    (await call(client, "log_activity", { type: "note", subject: "Noted", ...links })).fields;
  expect(await log({ case_id: theCase.id })).toMatchObject({ account_id: other.id, contact_id: contact.id });
  expect(await log({ contact_id: contact.id, account_id: other.id })).toMatchObject({ account_id: other.id });
  expect(await log({ contact_id: bare.id, case_id: theCase.id })).toMatchObject({
    account_id: other.id,
    contact_id: bare.id,
  });
  expect(await log({ contact_id: bare.id })).not.toHaveProperty("account_id");
  const missing = { type: "note", subject: "Noted", case_id: newId() };
  const refused = await client.callTool({ name: "log_activity", arguments: missing });
  expect((refused.content as { text: string }[])[0]?.text).toContain("case_id");
});

test("what is refused says how to mend it", async () => {
  const client = await connect(await createContext());
  const record = await call(client, "create_record", { object: "accounts", fields: { name: "Acme" } });
  const refused = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBe(true);
    return (result.content as { text: string }[])[0]?.text;
  };
  expect(await refused("create_record", { object: "accounts", fields: { nam: "x" } })).toContain("name");
  const stale = { object: "accounts", id: record.id, expected_version: 7, fields: { name: "New" } };
  expect(await refused("update_record", stale)).toContain("precondition_failed");
  const lead = await call(client, "create_record", { object: "leads", fields: { last_name: "Hopper" } });
  expect(await refused("convert_lead", { id: lead.id, expected_version: 7 })).toContain("precondition_failed");
  expect(await refused("get_timeline", { object: "accounts", id: "nothing" })).toContain("not_found");
  expect(await refused("get_timeline", { object: "accounts", id: "nothing", cursor: "x" })).toContain("which `part`");
});

test("an id among the fields, and a part that the object has not, are refused", async () => {
  const client = await connect(await createContext());
  const { id, version } = await call(client, "create_record", { object: "accounts", fields: { name: "Acme" } });
  for (const [name, given, reason] of [
    ["update_record", { expected_version: version, fields: { id, name: "Other" } }, /no field of it/],
    ["get_timeline", { part: "comments" }, /its parts are activities/],
  ] as const) {
    const refused = await client.callTool({ name, arguments: { object: "accounts", id, ...given } });
    expect(refused.isError).toBe(true);
    expect((refused.content as { text: string }[])[0]?.text).toMatch(reason);
  }
});

test("today is the day in the organization's time zone", async () => {
  const context = await createContext();
  const client = await connect(context);
  const days = new Set<unknown>();
  for (const zone of ["Pacific/Kiritimati", "Etc/GMT+12"]) {
    await pool().query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [context.organizationId, zone]);
    const day = (at: number) => new Date(at).toLocaleDateString("sv", { timeZone: zone });
    const before = day(Date.now());
    const { today } = await call(client, "whoami");
    expect([before, day(Date.now())]).toContain(today);
    days.add(today);
  }
  // The two are 26 hours apart.
  expect(days.size).toBe(2);
});

test("every tool has a schema, and annotations that say what it does", async () => {
  const client = await connect(await createContext());
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(18);
  for (const tool of tools) {
    expect(tool.annotations).toMatchObject({
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: expect.any(Boolean),
    });
    expect(tool.outputSchema).toMatchObject({ type: "object" });
  }
});

test("every tool that changes or deletes a record needs the version that was read", async () => {
  const ofRecords = TOOLS.filter(({ name }) => !name.endsWith("migration"));
  const changing = ofRecords.filter(({ effect }) => effect === "changes" || effect === "deletes");
  expect(changing.map(({ name }) => name)).toContain("convert_lead");
  const { tools } = await (await connect(await createContext())).listTools();
  const versioned = tools.filter(({ inputSchema }) => inputSchema.required?.includes("expected_version"));
  expect(versioned.map(({ name }) => name)).toEqual(expect.arrayContaining(changing.map(({ name }) => name)));
});

test("resources and prompts", async () => {
  const client = await connect(await createContext());
  const schema = await client.readResource({ uri: "crm://schema/contacts" });
  expect(JSON.parse((schema.contents[0] as { text: string }).text)).toMatchObject({ object: "contacts" });
  const account = await call(client, "create_record", { object: "accounts", fields: { name: "Acme" } });
  const record = await client.readResource({ uri: `crm://accounts/${account.id}` });
  expect(JSON.parse((record.contents[0] as { text: string }).text)).toEqual(account);
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(["account_briefing", "pipeline_review", "case_summary"]);
});

test("a record that a token may not read is refused as a resource too", async () => {
  const organization = await createContext();
  const id = await insertRecord("accounts", organization.organizationId);
  const client = await connect(
    await createContext({ organizationId: organization.organizationId, scopes: ["erp:read"] }),
  );
  for (const record of [id, newId()])
    await expect(client.readResource({ uri: `crm://accounts/${record}` })).rejects.toThrow("needs the scope crm:read");
  const ours = await connect(organization);
  await expect(ours.readResource({ uri: `crm://accounts/${newId()}` })).rejects.toThrow(/not found/i);
});

test.each(RESOURCES)(
  "what describe_object says of %s fits its schema, and tells what the service sets",
  async (object) => {
    const client = await connect(await createContext());
    const { fields } = await call(client, "describe_object", { object });
    expect(fields).toContainEqual(expect.objectContaining({ name: "version", writable: false }));
    expect(fields).toContainEqual(expect.objectContaining({ name: "owner_id", writable: true }));
  },
);

test("a long text is read on from where it was cut", async () => {
  const client = await connect(await createContext());
  const description = Array.from({ length: 6000 }, (_, index) => `${index} `)
    .join("")
    .trim();
  const { id } = await call(client, "create_record", { object: "accounts", fields: { name: "Acme", description } });
  const read = async (offset: number) => {
    const given = { object: "accounts", ids: [id], fields: ["description"], offset };
    const { data } = await call(client, "get_records", given);
    return (data as unknown as { fields: { description: string } }[])[0]?.fields.description ?? "";
  };
  const [, first = "", at = ""] = /^(.*)… \[cut at (\d+) of \d+ characters\]$/.exec(await read(0)) ?? [];
  expect(first + (await read(Number(at))).replace(`[continued at ${at}] …`, "")).toBe(description);
  const several = await client.callTool({
    name: "get_records",
    arguments: { object: "accounts", ids: [id], offset: 5 },
  });
  expect(several).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("give one id") }] });
});

test("a text that was cut when it was read cannot replace the whole one", async () => {
  const client = await connect(await createContext());
  const long = "long ".repeat(6000);
  const fields = { name: "Acme", description: long, custom_fields: { Notes__c: long } };
  const { id } = await call(client, "create_record", { object: "accounts", fields });
  const { data } = await call(client, "get_records", { object: "accounts", ids: [id] });
  const [read] = data as unknown as { version: number; fields: { description: string } }[];
  const { content, isError } = await client.callTool({
    name: "update_record",
    arguments: { object: "accounts", id, expected_version: read?.version, fields: read?.fields },
  });
  expect(isError).toBe(true);
  const [told] = content as { text: string }[];
  expect(told?.text.match(/This text was cut when it was read/g)).toHaveLength(2);
  expect(told?.text).toMatch(/custom_fields\.Notes__c.*description/);
});
