import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createAccessToken, createContext } from "@/tests/support/factories";

/**
 * A small sandbox org. For each test also a new organization, the API as seen by its client, and the jobs that it
 * enqueues.
 */
interface SandboxApi {
  org: RunningOrg;
  api: MigrationApi;
  organizationId: string;
  jobs: ReturnType<typeof recordJobs>;
}

/**
 * Call once, at the top of a file: its tests use what this returns. Rules of the org end with the test that set them.
 */
export function useSandboxApi(): SandboxApi {
  const here = {} as SandboxApi;
  beforeAll(async () => {
    here.org = await startSandboxOrg({ records: 100 });
  });
  afterAll(() => here.org.stop());
  beforeEach(async () => {
    const context = await createContext();
    here.organizationId = context.organizationId;
    here.api = new MigrationApi(await createAccessToken(context));
    here.jobs = recordJobs();
  });
  afterEach(() => here.org.setRules({ rules: [], access: {} }));
  return here;
}
