import { beforeAll, describe, expect, test } from "vitest";

import { create, ENTITY_NAMES } from "@/tests/service/specification/support/entities";
import { type Api, openApi, type Page, type Stored, UUID } from "@/tests/service/specification/support/service";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});

describe("1. What the service does, 2. Resources: record entities", () => {
  describe.each(ENTITY_NAMES)("%s", (entity) => {
    test("the service stores them: what was created is read as it was written", async () => {
      const record = await create(api, entity);
      const answer = await api.get<Stored>(`/${entity}/${record.id}`);
      expect(answer).toMatchObject({ status: 200, body: record });
    });

    test("id is a string (UUID)", async () => {
      expect((await create(api, entity)).id).toMatch(UUID);
    });

    test("created_at is the timestamp of the creation", async () => {
      const before = Date.now();
      const { created_at } = await create(api, entity);
      // The database may run on a machine with another clock, so a second is tolerated.
      expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before - 1000);
      expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now() + 1000);
    });

    test("ext_id is a string for an external identifier, and absent or null without one", async () => {
      const ext_id = `spec-${crypto.randomUUID()}`;
      expect((await create(api, entity, { ext_id })).ext_id).toBe(ext_id);
      expect((await create(api, entity)).ext_id ?? null).toBeNull();
    });

    test("they have a list, which shows the newest first", async () => {
      const record = await create(api, entity);
      const page = await api.get<Page>(`/${entity}?limit=1`);
      expect(page).toMatchObject({
        status: 200,
        body: { data: [{ id: record.id }], next_cursor: record.id, has_more: true },
      });
    });

    test("they are changed and deleted", async () => {
      const record = await create(api, entity);
      const changed = await api.patch<Stored>(`/${entity}/${record.id}`, { ext_id: `spec-${record.id}` });
      expect(changed).toMatchObject({
        status: 200,
        body: { id: record.id, created_at: record.created_at, ext_id: `spec-${record.id}` },
      });
      expect((await api.delete(`/${entity}/${record.id}`)).status).toBe(200);
      expect((await api.get(`/${entity}/${record.id}`)).status).toBe(404);
    });
  });
});
