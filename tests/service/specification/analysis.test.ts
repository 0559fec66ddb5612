import { beforeAll, describe, expect, test } from "vitest";

import { analyzed, type Migration, ORG, until } from "@/tests/service/specification/support/migration";
import { automations, countOf, customObjects, sourceFields } from "@/tests/service/specification/support/salesforce";
import { type Answer, type Api, openApi } from "@/tests/service/specification/support/service";

interface Report {
  readiness: { score: number; verdict: string };
  inventory: {
    object: string;
    custom: boolean;
    count: number | null;
    status: string;
    compatibility: string;
    resource: string | null;
    fields: { source: string; target: string | null }[];
  }[];
  automations: Record<string, { active: number; total: number; complexity: string } | null> & { complexity: string };
  risks: { severity: string; title: string; recommended_action: string }[];
  estimate: { records: number; seconds: number; timeline: { object: string; records: number; seconds: number }[] };
}

/** The table “What migrates”. The external platform calls its products Product2. */
const WHAT_MIGRATES = [
  ["Account", "accounts", "automatic"],
  ["Contact", "contacts", "automatic"],
  ["Case", "cases", "automatic"],
  ["CaseComment", "case_comments", "automatic"],
  ["Task", "activities", "automatic"],
  ["Event", "activities", "automatic"],
  ["Lead", "leads", "planned"],
  ["Opportunity", "opportunities", "planned"],
  ["Product2", "products", "planned"],
] as const;

let api: Api;
let answer: Answer<Migration>;
let polled: Migration[];
let report: Report;
beforeAll(async () => {
  api = await openApi();
  answer = await api.post("/migration/analyze", ORG);
  polled = await until(api, answer.body.migration_id, ({ status }) => status !== "analyzing");
  report = await api.must("GET", `/migration/${answer.body.migration_id}/report`);
}, 300_000);

function configure(objects: object): Promise<Answer<unknown>> {
  return api.put(`/migration/${answer.body.migration_id}/configuration`, { objects });
}

describe("4. POST /api/v1/migration/analyze, 3. States", () => {
  test("a valid request returns the migration record with migration_id and status analyzing", () => {
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ migration_id: expect.stringMatching(/./), status: "analyzing" });
  });

  test("the caller polls a status endpoint for completion", () => {
    expect(polled.at(-1)).toMatchObject({ migration_id: answer.body.migration_id, status: "ready" });
    expect(new Set(polled.map(({ status }) => status))).toEqual(
      new Set(polled.length > 1 ? ["analyzing", "ready"] : ["ready"]),
    );
  });

  test("the migration record is in the list of migrations", async () => {
    const listed = await api.all<Migration>("/migration");
    expect(listed.map(({ migration_id }) => migration_id)).toContain(answer.body.migration_id);
  });

  test("analyzing imports nothing: no object has begun", async () => {
    const { objects } = await api.must<Migration>("GET", `/migration/${answer.body.migration_id}`);
    expect(objects.filter(({ status, created, updated }) => status !== "pending" || created + updated > 0)).toEqual([]);
  });

  test.each(["ext_instance_url", "ext_access_token"])("%s is required, and a string", async (field) => {
    expect((await api.post("/migration/analyze", { ...ORG, [field]: undefined })).status).toBe(400);
    expect((await api.post("/migration/analyze", { ...ORG, [field]: 7 })).status).toBe(400);
  });

  test("ext_instance_url is a URL, and ext_access_token is good for that org", async () => {
    const noAddress = await api.post("/migration/analyze", { ...ORG, ext_instance_url: "not a URL" });
    expect(noAddress).toMatchObject({ status: 422, body: { code: "source_url_invalid" } });
    const noAccess = await api.post("/migration/analyze", { ...ORG, ext_access_token: "00D000000000000!wrong" });
    expect(noAccess).toMatchObject({ status: 422, body: { code: "source_token_refused" } });
  });
});

describe("2. Analysis report contents", () => {
  test("object inventory: standard objects with record counts", async () => {
    for (const [object] of WHAT_MIGRATES) {
      const entry = report.inventory.find((item) => item.object === object);
      expect([object, entry]).toMatchObject([object, { custom: false, count: await countOf(object) }]);
    }
  });

  test("object inventory: custom objects with record counts, all that the platform's object list has", async () => {
    const custom = report.inventory.filter((item) => item.custom);
    for (const object of await customObjects()) {
      expect([object, custom.find((item) => item.object === object)]).toMatchObject([
        object,
        { count: await countOf(object) },
      ]);
    }
    expect(custom.length).toBeGreaterThan(0);
  });

  test("field mapping from external fields to the service schema: all fields of describe calls", async () => {
    const { components } = await api.must<{ components: { schemas: Record<string, { properties: object }> } }>(
      "GET",
      "/openapi.json",
    );
    const schemas = {
      accounts: "Account",
      contacts: "Contact",
      cases: "Case",
      case_comments: "CaseComment",
      activities: "Activity",
    };
    for (const [object, resource, status] of WHAT_MIGRATES) {
      if (status !== "automatic") continue;
      const { fields } = report.inventory.find((item) => item.object === object) ?? { fields: [] };
      expect([object, fields.map(({ source }) => source).toSorted()]).toEqual([
        object,
        (await sourceFields(object)).toSorted(),
      ]);
      const known = Object.keys(components.schemas[schemas[resource]]?.properties ?? {});
      const targets = fields.flatMap(({ target }) => target ?? []);
      expect([object, known]).toEqual([object, expect.arrayContaining(targets)]);
      expect(fields).toContainEqual(expect.objectContaining({ source: "Id", target: "ext_id" }));
    }
  });

  test("compatibility score per object, one of: auto, partial, manual_review", () => {
    const others = report.inventory.filter(
      ({ compatibility }) => !["auto", "partial", "manual_review"].includes(compatibility),
    );
    expect(others).toEqual([]);
    expect(report.inventory.length).toBeGreaterThan(9);
  });

  test("automation complexity summary: workflows, process-builder flows, triggers", async () => {
    expect(["none", "low", "medium", "high"]).toContain(report.automations.complexity);
    for (const [kind, total] of Object.entries(await automations())) {
      expect([kind, report.automations[kind]]).toMatchObject([
        kind,
        { total, complexity: expect.stringMatching(/^(none|low|medium|high)$/) },
      ]);
    }
  });

  test("risk items, with recommended actions", () => {
    expect(report.risks.length).toBeGreaterThan(0);
    for (const risk of report.risks)
      expect(risk).toMatchObject({ title: expect.stringMatching(/./), recommended_action: expect.stringMatching(/./) });
  });

  test("overall readiness score", () => {
    expect(report.readiness.score).toBeGreaterThanOrEqual(0);
    expect(report.readiness.score).toBeLessThanOrEqual(100);
  });

  test("estimated timeline, in the order of the import", () => {
    const { timeline } = report.estimate;
    const of = (name: string) => timeline.findIndex(({ object }) => object === name);
    const order = ["Account", "Contact", "Case", "CaseComment", "Task", "Event"].map(of);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(timeline.reduce((sum, { records }) => sum + records, 0)).toBe(report.estimate.records);
    expect(report.estimate.seconds).toBeGreaterThan(0);
  });
});

describe("1. What migrates", () => {
  test.each(WHAT_MIGRATES)("%s → %s: %s", (object, resource, status) => {
    expect(report.inventory.find((item) => item.object === object)).toMatchObject({ resource, status });
  });

  test.each(WHAT_MIGRATES.filter(([, , status]) => status === "planned"))(
    "%s is planned: it cannot be chosen yet",
    async (object) => {
      expect((await configure({ [object]: { selected: true } })).status).toBe(400);
      expect((await configure({ Account: { selected: true } })).status).toBe(200);
    },
  );
});

describe("1. Recommended usage: run analysis first", () => {
  test("a second analysis of the same org is a migration of its own", async () => {
    const again = await analyzed(api);
    expect(again.migration_id).not.toBe(answer.body.migration_id);
    expect(again.status).toBe("ready");
  });
});
