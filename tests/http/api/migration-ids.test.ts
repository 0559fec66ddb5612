import { expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { MigrationApi, problemIn, recordJobs } from "@/tests/migration/support/api-service";
import { createReady } from "@/tests/migration/support/ready-migration";
import { createAccessToken, createContext } from "@/tests/support/factories";

test("a migration's id may be written in either case: in paths, bodies and cursors", async () => {
  recordJobs();
  const context = await createContext();
  const api = new MigrationApi(await createAccessToken(context));
  const older = await createReady(context);
  const id = await createReady(context);
  for (const path of ["", "/report", "/configuration", "/errors"]) {
    expect((await api.get(`/migration/${id.toUpperCase()}${path}`)).status).toBe(200);
  }
  expect((await api.put(`/migration/${id.toUpperCase()}/configuration`, { objects: {} })).status).toBe(200);
  expect((await api.get(`/migration?cursor=${id.toUpperCase()}`)).body).toMatchObject({
    data: [{ migration_id: older }],
  });
  const started = await api.post("/migration/run", { migration_id: id.toUpperCase() });
  expect(started).toMatchObject({ status: 202, body: { migration_id: id } });
});

test.each(["1", "9f1c1d3e-0d5a-4c60-8a43-5f2a3a8a9c11", `${newId()}x`])(
  "%s as an id in a body is refused by the name of its field",
  async (id) => {
    const api = new MigrationApi(await createAccessToken(await createContext()));
    for (const [path, field] of [
      ["/migration/run", "migration_id"],
      ["/migration/analyze", "connection_id"],
    ] as const) {
      const problem = problemIn(await api.post(path, { [field]: id }));
      expect(problem).toMatchObject({ status: 400, code: "invalid_request", errors: [{ pointer: `/${field}` }] });
      expect(problem.errors?.[0]?.detail).toContain(`\`${field}\` must be the id of a`);
    }
  },
);
