import { afterAll, beforeAll } from "vitest";

import { recordJobs } from "@/tests/migration/api-service";
import { type RunningOrg, startSandboxOrg } from "@/tests/sandbox-org/start";

import { connectTo, MIGRATION_ASKS } from "./migration-asks";
import { tryAsks } from "./try-asks";

let org: RunningOrg;

beforeAll(async () => {
  recordJobs();
  org = await startSandboxOrg({ records: 20 });
  connectTo(org);
});
afterAll(() => org.stop());

tryAsks(() => MIGRATION_ASKS, { shown: ({ route }) => !/analyze|configuration$/.test(route) });
