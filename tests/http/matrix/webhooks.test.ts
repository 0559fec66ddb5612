import { beforeAll } from "vitest";

import { recordJobs } from "@/tests/migration/support/api-service";

import { refuseMembers } from "@/tests/http/matrix/support/refuse-members";
import { tryAsks } from "@/tests/http/matrix/support/try-asks";
import { WEBHOOK_ASKS } from "@/tests/http/matrix/support/webhook-asks";

beforeAll(() => {
  recordJobs();
});

tryAsks(() => WEBHOOK_ASKS, { shown: ({ route }) => !/^DELETE|\/(?:test|recover)$/.test(route) });

refuseMembers(WEBHOOK_ASKS);
