import { afterAll, beforeAll } from "vitest";

import { recordJobs } from "@/tests/migration/support/api-service";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

import { connectTo, MIGRATION_ASKS } from "@/tests/http/matrix/support/migration-asks";
import { refuseMembers } from "@/tests/http/matrix/support/refuse-members";
import { tryAsks } from "@/tests/http/matrix/support/try-asks";

let org: RunningOrg;

beforeAll(async () => {
  recordJobs();
  org = await startSandboxOrg({ records: 20 });
  connectTo(org);
});
afterAll(() => org.stop());

tryAsks(() => MIGRATION_ASKS, {
  shown: ({ route }) =>
    !/analyze|reconnect|decide|configuration(?:$|.(?:export|import|check))|owners|relationships$|undo.impact/.test(
      route,
    ),
});

/** What only admins may do with migrations. */
const OF_ADMINS = new Set(["POST /migration/{migration_id}/undo", "POST /migration/{migration_id}/owners/members"]);

refuseMembers(MIGRATION_ASKS.filter(({ route }) => OF_ADMINS.has(route)));
