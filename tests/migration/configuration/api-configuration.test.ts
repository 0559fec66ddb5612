import { beforeEach, describe, expect, onTestFinished, test } from "vitest";

import type { Context } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { saveConfiguration } from "@/lib/migration/configuration/configure-migration";
import { MIGRATION_STATUSES } from "@/lib/migration/migration-schema";
import { MigrationApi, problemIn } from "@/tests/migration/support/api-service";
import { createReady, setStatus } from "@/tests/migration/support/ready-migration";
import { createAccessToken, createContext } from "@/tests/support/factories";

let context: Context;
let api: MigrationApi;

beforeEach(async () => {
  context = await createContext();
  api = new MigrationApi(await createAccessToken(context));
});

describe("the configuration", () => {
  test("follows the report until choices are saved, and then returns them", async () => {
    const id = await createReady(context);
    expect((await api.get(`/migration/${id}/configuration`)).body).toEqual({
      objects: {},
      threads: { attachments: true },
      repeat: "source_wins",
      files: { copy: false, max_mb: 100 },
      send_events: false,
    });
    const saved = await api.put(`/migration/${id}/configuration`, {
      objects: {
        Account: { fields: { Fax: "phone", Name: null } },
        Case: { selected: false, values: { Status: { Neu: "new" } } },
      },
    });
    const whole = {
      objects: {
        Account: { selected: true, fields: { Fax: "phone", Name: null }, values: {} },
        Case: { selected: false, fields: {}, values: { Status: { Neu: "new" } } },
      },
      threads: { attachments: true },
      repeat: "source_wins",
      files: { copy: false, max_mb: 100 },
      send_events: false,
    };
    expect(saved).toEqual({ status: 200, body: whole });
    expect((await api.get(`/migration/${id}/configuration`)).body).toEqual(whole);
  });

  test("has a tag by which a save can rule out what it does not know", async () => {
    const id = await createReady(context);
    const path = `/migration/${id}/configuration`;
    const first = await api.request("GET", path);
    const known = { "if-match": first.headers.get("etag") ?? "" };
    const events = JSON.stringify({ send_events: true });
    const saved = await api.request("PUT", path, events, "application/json", known);
    expect(saved.status).toBe(200);
    expect(saved.headers.get("etag")).toMatch(/^"[\w-]{22}"$/);
    expect(saved.headers.get("etag")).not.toBe(known["if-match"]);
    const late = await api.request("PUT", path, JSON.stringify({ repeat: "decide" }), "application/json", known);
    expect(late.status).toBe(412);
    expect(await late.json()).toMatchObject({ code: "precondition_failed" });
    const now = await api.request("GET", path);
    expect(await now.json()).toMatchObject({ send_events: true, repeat: "source_wins" });
    const tag = now.headers.get("etag") ?? "";
    expect(tag).toBe(saved.headers.get("etag"));
    const again = await api.request("GET", path, undefined, undefined, { "if-none-match": tag });
    expect(again.status).toBe(304);
    // The same choices have the same tag, so a save of them stands in nobody's way.
    expect((await api.request("PUT", path, events, "application/json", { "if-match": tag })).headers.get("etag")).toBe(
      tag,
    );
  });

  test.each<[what: string, objects: object, pointer: string, says: RegExp]>([
    ["an object that does not exist", { Acount: {} }, "/objects/Acount", /did you mean `Account`/],
    [
      "a choice that is not known",
      { Account: { selectd: true } },
      "/objects/Account/selectd",
      /did you mean `selected`/,
    ],
    ["an object that is planned", { Lead: { selected: true } }, "/objects/Lead", /planned/],
    ["an object that cannot be read", { Task: {} }, "/objects/Task/selected", /may not read/],
    ["an object that the report does not know", { Event: {} }, "/objects/Event/selected", /may not see/],
    [
      "a source field that does not exist",
      { Account: { fields: { Fx: "phone" } } },
      "/objects/Account/fields/Fx",
      /did you mean `Fax`/,
    ],
    [
      "a relationship of a field that links to nothing",
      { Case: { relationships: { Subject: "keep_id" } } },
      "/objects/Case/relationships/Subject",
      /links to no record here; ContactId can/,
    ],
    [
      "a relationship of a field that does not exist",
      { Case: { relationships: { ContctId: "heal" } } },
      "/objects/Case/relationships/ContctId",
      /did you mean `ContactId`/,
    ],
    [
      "a relationship of a field that is left out",
      { Case: { fields: { ContactId: null }, relationships: { ContactId: "leave_out" } } },
      "/objects/Case/relationships/ContactId",
      /links to no record here/,
    ],
    [
      "a choice that does not exist",
      { Case: { relationships: { ContactId: "drop" } } },
      "/objects/Case/relationships/ContactId",
      /heal/,
    ],
    [
      "a comment without its case",
      { CaseComment: { relationships: { ParentId: "keep_id" } } },
      "/objects/CaseComment/relationships/ParentId",
      /cannot be stored without its case/,
    ],
    [
      "a source field with a fixed target",
      { Account: { fields: { Id: "name" } } },
      "/objects/Account/fields/Id",
      /is fixed/,
    ],
    [
      "a target that does not exist",
      { Account: { fields: { Fax: "phne" } } },
      "/objects/Account/fields/Fax",
      /did you mean `phone`/,
    ],
    [
      "a target that the import fills",
      { Account: { fields: { Fax: "version" } } },
      "/objects/Account/fields/Fax",
      /cannot go to/,
    ],
    [
      "one target for two fields",
      { Account: { fields: { Fax: "phone", Name: "phone" } } },
      "/objects/Account/fields/Name",
      /chosen for `Fax`/,
    ],
    [
      "a value that the target has not",
      { Case: { values: { Status: { Neu: "fresh" } } } },
      "/objects/Case/values/Status/Neu",
      /possible are new/,
    ],
    [
      "a value that the source has not",
      { Case: { values: { Status: { Geparckt: "new" } } } },
      "/objects/Case/values/Status/Geparckt",
      /mean `Geparkt`/,
    ],
    [
      "a source value like no other",
      { Case: { values: { Status: { Zu: "new" } } } },
      "/objects/Case/values/Status/Zu",
      /it has Neu, Geparkt/,
    ],
    [
      "values for free text",
      { Case: { values: { Subject: { a: "b" } } } },
      "/objects/Case/values/Subject",
      /no translation/,
    ],
    [
      "a pointer with ~ and /",
      { Case: { fields: { "Odd/~Name": "nowhere" } } },
      "/objects/Case/fields/Odd~1~0Name",
      /cannot go to/,
    ],
    [
      "what deselects every object",
      { Account: { selected: false }, Case: { selected: false }, CaseComment: { selected: false } },
      "/objects",
      /No object is selected/,
    ],
    ["a choice of the wrong type", { Case: { selected: "yes" } }, "/objects/Case/selected", /true or false/],
  ])("refuses %s with its pointer, and keeps the saved choices", async (_what, objects, pointer, says) => {
    const id = await createReady(context);
    const problem = problemIn(await api.put(`/migration/${id}/configuration`, { objects }));
    expect(problem).toMatchObject({ status: 400, code: "invalid_request" });
    expect(problem.errors?.map((fault) => fault.pointer)).toEqual([pointer]);
    expect(problem.errors?.[0]?.detail).toMatch(says);
    expect((await api.get(`/migration/${id}/configuration`)).body).toEqual({
      objects: {},
      threads: { attachments: true },
      repeat: "source_wins",
      files: { copy: false, max_mb: 100 },
      send_events: false,
    });
    const run = problemIn(await api.post("/migration/run", { migration_id: id, configuration: { objects } }));
    expect(run.errors?.map((fault) => fault.pointer)).toEqual([`/configuration${pointer}`]);
    expect((await api.get(`/migration/${id}`)).body).toMatchObject({ status: "ready", run_number: 0 });
  });

  test("accepts values that the report lacks if records could not be counted by value", async () => {
    const id = await createReady(context);
    const saved = await api.put(`/migration/${id}/configuration`, {
      objects: { Case: { values: { Priority: { Dringend: "urgent" } } } },
    });
    expect(saved.status).toBe(200);
  });

  test("stores whether events are sent, by default false", async () => {
    const id = await createReady(context);
    expect((await api.put(`/migration/${id}/configuration`, { objects: {}, send_events: true })).body).toEqual({
      objects: {},
      threads: { attachments: true },
      repeat: "source_wins",
      files: { copy: false, max_mb: 100 },
      send_events: true,
    });
    expect((await api.put(`/migration/${id}/configuration`, { objects: {} })).body).toMatchObject({
      send_events: false,
    });
    const problem = problemIn(await api.put(`/migration/${id}/configuration`, { objects: {}, send_events: "yes" }));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: "/send_events" }] });
  });

  test("copies no files where the service keeps none, also if that was chosen before", async () => {
    const [id, path] = [await createReady(context), "/migration"];
    const configuration = { files: { copy: true } };
    expect((await api.put(`${path}/${id}/configuration`, configuration)).status).toBe(200);
    onTestFinished(() => void Object.assign(env, { FILES_STORAGE: undefined }));
    Object.assign(env, { FILES_STORAGE: "none" });
    const fault = { code: "not_offered", detail: expect.stringMatching(/^This service keeps no files/) };
    expect(problemIn(await api.put(`${path}/${id}/configuration`, configuration))).toMatchObject({
      status: 400,
      errors: [{ pointer: "/files/copy", ...fault }],
    });
    expect(problemIn(await api.post(`${path}/run`, { migration_id: id }))).toMatchObject({
      status: 409,
      code: "illegal_state",
      detail: fault.detail,
    });
    expect((await api.get(`${path}/${id}`)).body).toMatchObject({ status: "ready", run_number: 0 });
    expect((await api.put(`${path}/${id}/configuration`, {})).status).toBe(200);
  });

  test("is not saved when the body names another migration than the path", async () => {
    const [id, other] = [await createReady(context), await createReady(context)];
    const problem = problemIn(await api.put(`/migration/${id}/configuration`, { migration_id: other, objects: {} }));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: "/migration_id", code: "unknown_field" }] });
  });

  test("can be saved in exactly the statuses from which a run can start", async () => {
    const id = await createReady(context);
    const allowed: string[] = [];
    const refusals: [migration: string, code: string, detail: string][] = [];
    for (const migration of MIGRATION_STATUSES) {
      await setStatus(id, migration);
      const { status, body } = await api.put(`/migration/${id}/configuration`, { objects: {} });
      expect([200, 409]).toContain(status);
      if (status === 200) allowed.push(migration);
      else refusals.push([migration, String(body.code), String(body.detail)]);
    }
    expect(allowed).toEqual(["ready", "completed", "completed_with_errors", "failed", "cancelled"]);
    for (const [migration, code, detail] of refusals)
      expect([code, detail]).toEqual(["illegal_state", expect.stringContaining(`\`${migration}\``)]);
  });

  test("is not saved once a run has started, also after the check of choices, and the status is named", async () => {
    const id = await createReady(context);
    const choices = configurationSchema.parse({});
    await setStatus(id, "running");
    const save = inOrganization(context.organizationId, () => saveConfiguration(context, id, choices));
    await expect(save).rejects.toMatchObject({
      code: "illegal_state",
      message: "The migration is running (status `running`), so it cannot be configured now.",
    });
  });
});
