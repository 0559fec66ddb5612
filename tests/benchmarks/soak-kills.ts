import { join } from "node:path";

import { startSandboxOrg } from "@/sandbox-org/start";
import { LoadProcess } from "@/tests/benchmarks/api/load-process";
import { createTenants } from "@/tests/benchmarks/api/tenants";
import type { SoakResult } from "@/tests/benchmarks/soak";
import type { KillsReport, KillsTask } from "@/tests/benchmarks/soak-kills/acknowledged-work";
import { type Role, type TwoOfEach, withTwoOfEach } from "@/tests/benchmarks/api/two-of-each";

const TENANTS = 6;
const CONNECTIONS = 48;
const RECORDS_OF_ORG = 2000;
const WORK = join(import.meta.dirname, "soak-kills/acknowledged-work.ts");

/**
 * Mixed reads and writes, webhooks and migrations on two web and two worker processes, of which one is killed without
 * warning every `secondsBetween`. Nothing that was acknowledged may be missing at the end, or be there twice.
 */
export async function soakWithKills(minutes: number, secondsBetween: number): Promise<SoakResult> {
  return withTwoOfEach(async (service) => {
    const tenants = await createTenants(service, TENANTS);
    await using ends = new AsyncDisposableStack();
    const org = await startSandboxOrg({ records: RECORDS_OF_ORG, keepAccessToken: true });
    ends.defer(() => org.stop());
    await using load = new LoadProcess<KillsTask, KillsReport>(WORK);
    const kills = killEvery(service, secondsBetween * 1000, minutes * 60_000);
    ends.defer(kills.stop);
    const report = await load.run({
      origins: service.origins,
      connections: CONNECTIONS,
      seconds: minutes * 60,
      tenants: tenants.map(({ organizationId, token }) => ({ organizationId, token })),
      source: {
        connection: { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken },
        records: RECORDS_OF_ORG,
      },
    });
    return judge(minutes, report, kills.count);
  });
}

interface Kills {
  count: Record<Role, number>;
  stop: () => void;
}

function killEvery(service: TwoOfEach, everyMs: number, forMs: number): Kills {
  const count = { web: 0, worker: 0 };
  const timer = setInterval(() => {
    const role = service.killOne();
    if (role) count[role] += 1;
  }, everyMs);
  const end = setTimeout(() => clearInterval(timer), forMs);
  const stop = (): void => {
    clearInterval(timer);
    clearTimeout(end);
  };
  return { count, stop };
}

function judge(minutes: number, report: KillsReport, kills: Record<Role, number>): SoakResult {
  const idle = [
    ...(report.migrations === 0 ? ["No migration was completed."] : []),
    ...(report.acknowledged === 0 ? ["No write was acknowledged."] : []),
  ];
  return {
    measurements: [
      { name: "time", value: minutes, unit: "minutes" },
      { name: "web processes killed", value: kills.web, unit: "" },
      { name: "worker processes killed", value: kills.worker, unit: "" },
      { name: "requests", value: report.requests, unit: "" },
      { name: "requests whose connection was refused", value: report.refused, unit: "" },
      { name: "requests whose connection broke before the answer", value: report.unanswered, unit: "" },
      { name: "acknowledged writes", value: report.acknowledged, unit: "" },
      {
        name: "longest time without an acknowledged write",
        value: (report.longestPauseMs / 1000).toFixed(1),
        unit: "s",
      },
      { name: "deliveries", value: report.deliveries, unit: "" },
      { name: "deliveries that were repeated", value: report.repeatedDeliveries, unit: "" },
      { name: "migrations completed and undone", value: report.migrations, unit: "" },
      { name: "longest migration with its undo", value: Math.round(report.longestMigrationMs / 1000), unit: "s" },
      { name: "until the last request was answered", value: Math.round(report.seconds), unit: "s" },
      { name: "from then until every event was delivered", value: report.settledAfter.toFixed(1), unit: "s" },
      { name: "differences from what was acknowledged", value: report.faults.length, unit: "" },
    ],
    faults: [...idle, ...report.faults],
  };
}
