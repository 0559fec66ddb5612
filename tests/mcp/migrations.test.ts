import { beforeAll, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { callTool } from "@/tests/mcp/support/post";
import { createReady, REPORT } from "@/tests/migration/support/ready-migration";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let context: Context;
let migration_id: string;
beforeAll(async () => {
  context = await createContext();
  migration_id = await createReady(context);
});

const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, n) => item(n));

/** The largest that orgs have, with texts as long as those of real ones. */
const LARGE = {
  inventory: [
    ...REPORT.inventory,
    ...many(600, (index) => ({
      object: `Custom_${index}__c`,
      label: `Custom object ${index}`,
      custom: true,
      count: index,
      status: "not_supported",
      compatibility: "manual_review",
      reason: "Custom objects are not imported. Their records stay in Salesforce, and can be exported from there.",
      left_out: [],
      fields: [],
    })),
  ],
  automations: { complexity: "high" },
  automation_list: {
    data: many(500, (index) => ({
      kind: "validation_rules",
      name: `Rule ${index} ${"of the sales department ".repeat(3)}`,
      object: "Opportunity",
      active: true,
      complexity: "low",
      rated_by: "kind",
      action:
        "Rebuild it as a check of the program that writes the records, or as a step of the people who enter them.",
      events: ["opportunity.created", "opportunity.updated"],
    })),
    more: 7,
  },
};

/** Every item of a section, page by page. */
async function readAll(section: string, list: string): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { text, structuredContent } = await callTool(context, "migration_report", { migration_id, section, offset });
    const page = structuredContent?.[list];
    if (!Array.isArray(page)) throw new Error(text);
    items.push(...(page as unknown[]));
    expect(structuredContent).toMatchObject({ total: expect.any(Number) });
    offset = structuredContent?.next_offset as number | undefined;
  }
  return items;
}

test("objects and automations of a large org are read page by page", async () => {
  await pool().query("UPDATE migrations SET report = report || $2::jsonb WHERE id = $1", [migration_id, LARGE]);
  const objects = (await readAll("objects", "objects")) as { object: string }[];
  expect(objects.map(({ object }) => object)).toEqual(LARGE.inventory.map(({ object }) => object));
  const named = (await readAll("automations", "named")) as { name: string }[];
  expect(named.map(({ name }) => name)).toEqual(LARGE.automation_list.data.map(({ name }) => name));
});

test("fields without an object, or of one that is not there, are refused with those that are", async () => {
  const fields = { migration_id, section: "fields" };
  expect(
    (await callTool(context, "migration_report", { ...fields, object: "Account" })).structuredContent,
  ).toMatchObject({ total: 3 });
  for (const object of [undefined, "Contact"]) {
    const refused = await callTool(context, "migration_report", { ...fields, object });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain(
      "object: Name one of the objects whose fields are known: Account, Case, CaseComment.",
    );
  }
});

test("the remedy for a record whose id is taken names the tool that gives it back, and what no tool does", async () => {
  const owned = [context.organizationId, migration_id];
  await pool().query(
    "INSERT INTO migration_objects (organization_id, migration_id, object, position) VALUES ($1, $2, 'Account', 0)",
    owned,
  );
  await pool().query(
    `INSERT INTO migration_record_issues
       (organization_id, id, migration_id, object, ext_id, outcome, code, reason, created_at)
     VALUES ($1, $3, $2, 'Account', '001000000000001', 'failed', 'id_taken', 'It is taken.', now())`,
    [...owned, newId()],
  );
  const { text } = await callTool(context, "migration_errors", { migration_id });
  expect(text).toContain("with `update_record`, as its `ext_id`, or delete it here");
  expect(text).toContain("Only a person can retry, restore, decide or change the configuration, in the pages");
});
