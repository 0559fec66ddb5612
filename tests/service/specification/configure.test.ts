import { beforeAll, describe, expect, test } from "vitest";

import { type Admin, signInAdmin } from "@/tests/service/specification/support/oauth-client";
import { analyzed, finished, type Migration } from "@/tests/service/specification/support/migration";
import { type Api, demo, openApi } from "@/tests/service/specification/support/service";

let api: Api;
let admin: Admin;
let migration: Migration;
beforeAll(async () => {
  api = await openApi();
  admin = await signInAdmin();
  migration = await analyzed(api);
}, 300_000);

const configuration = () => `/migration/${migration.migration_id}/configuration`;

/** Everything that can be configured according to the reference. */
async function choices(): Promise<string> {
  const { components } = await api.must<{ components: { schemas: Record<string, object> } }>("GET", "/openapi.json");
  const schemas = Object.entries(components.schemas).filter(([name]) => name.startsWith("MigrationConfiguration"));
  expect(schemas.length).toBeGreaterThan(0);
  return JSON.stringify(schemas.map(([, schema]) => schema));
}

describe("1. The migration tool has five wizard steps", () => {
  test.each([
    ["1. Connect", "/migration/new"],
    ["2. Analyze", "/migration/:id/analyze"],
    ["3. Report", "/migration/:id/report"],
    ["4. Configure", "/migration/:id/configure"],
    ["5. Migrate", "/migration/:id/migrate"],
  ])("%s is a page of its own, for people who have signed in", async (step, path) => {
    const address = path.replace(":id", migration.migration_id);
    const response = await admin.browser.get(address);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(await response.text()).toContain(`<title>${step.slice(3)} `);
  });

  test("nobody sees them without signing in", async () => {
    for (const path of [
      "new",
      ...["analyze", "report", "configure", "migrate"].map((step) => `${migration.migration_id}/${step}`),
    ]) {
      const page = await fetch(`${demo.base_url}/migration/${path}`, { redirect: "manual" });
      const answer = (page.headers.get("location") ?? "") + (await page.text());
      expect(answer).toContain(`/sign-in?next=${encodeURIComponent(`/migration/${path}`)}`);
    }
  });
});

describe("1. Configure", () => {
  test("choose the objects to include, and migrate in phases: first accounts and contacts", async () => {
    const later = ["Case", "CaseComment", "EmailMessage", "FeedItem", "FeedComment", "Task", "Event"];
    const none = Object.fromEntries(later.map((object) => [object, { selected: false }]));
    expect((await api.put(configuration(), { objects: none })).status).toBe(200);
    await api.must("POST", "/migration/run", { migration_id: migration.migration_id });
    const first = (await finished(api, migration.migration_id)).at(-1);
    expect(first?.objects.map(({ object, status }) => [object, status])).toEqual([
      ["Account", "done"],
      ["Contact", "done"],
    ]);
    expect((await api.put(configuration(), { objects: {} })).status).toBe(200);
    await api.must("POST", "/migration/run", { migration_id: migration.migration_id });
    const second = (await finished(api, migration.migration_id)).at(-1);
    expect(second?.objects.map(({ object }) => object)).toEqual(["Account", "Contact", ...later]);
    expect(second?.objects.filter(({ object, created }) => created > 0 && !later.includes(object))).toEqual([]);
  });

  test("adjust field mappings", async () => {
    const objects = { Account: { fields: { Site: "description", Fax: null } } };
    expect(await api.put(configuration(), { objects })).toMatchObject({ status: 200 });
    expect((await api.get(configuration())).body).toMatchObject({ objects });
    const nowhere = { Account: { fields: { Site: "no_such_field" } } };
    expect((await api.put(configuration(), { objects: nowhere })).status).toBe(400);
  });

  test("set relationship-handling options", async () => {
    const objects = { Contact: { relationships: { AccountId: "leave_out" } } };
    expect(await api.put(configuration(), { objects })).toMatchObject({ status: 200 });
    expect((await api.get(configuration())).body).toMatchObject({ objects });
    expect(await choices()).toMatch(/heal.*keep_id.*leave_out/);
  });

  test("configure deduplication rules", async () => {
    const rules = [{ match: [{ fields: ["email"] }] }, { match: [{ fields: ["last_name"] }, { fields: ["phone"] }] }];
    const objects = { Contact: { duplicates: { rules } } };
    expect(await api.put(configuration(), { objects })).toMatchObject({ status: 200 });
    expect((await api.get(configuration())).body).toMatchObject({ objects });
    const nowhere = { Contact: { duplicates: { rules: [{ match: [{ fields: ["no_such_field"] }] }] } } };
    expect((await api.put(configuration(), { objects: nowhere })).status).toBe(400);
  });
});
