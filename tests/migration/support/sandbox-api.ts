import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createAccessToken, createContext } from "@/tests/support/factories";

/**
 * A small sandbox org; and, new for each test, an organization, the API as its client sees it, and the jobs that it
 * asks for.
 */
interface SandboxApi {
  org: RunningOrg;
  api: MigrationApi;
  organizationId: string;
  jobs: ReturnType<typeof recordJobs>;
}

/**
 * To be called once, at the top of a file: its tests find everything in what this gives. Rules of the org end with the
 * test that set them.
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
