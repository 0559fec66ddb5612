import { median } from "@/tests/benchmarks/api/percentiles";
import { measureInTurn, ratio, type Result, speedOf } from "@/tests/benchmarks/api/rounds";
import type { Tenant } from "@/tests/benchmarks/api/tenants";
import type { Measurement } from "@/tests/benchmarks/measurement";
import { ACCOUNT } from "@/tests/benchmarks/webhooks/backlog";
import { contextOf } from "@/tests/benchmarks/webhooks/ground";
import { hasNoOutbox } from "@/tests/benchmarks/webhooks/without-outbox";

/** Short rounds, and many: what else the machine does should meet both ways alike. */
interface Rounds {
  rounds: number;
  /** Of one round of one way. */
  seconds: number;
}

interface Size {
  inProcess: Rounds;
  overHttp: Rounds;
}

const CONNECTIONS = 16;
/** In this process: no more, or it is this process that is measured. */
const LANES = 4;

/**
 * What a write that nobody subscribes to costs with its outbox, as a multiple of the same write without: over HTTP, and
 * in process.
 */
export async function measureOutboxCost(
  origin: string,
  tenants: readonly Tenant[],
  size: Size,
): Promise<Measurement[]> {
  const told = tenants.find(({ organizationId }) => !hasNoOutbox(organizationId));
  const silent = tenants.find(({ organizationId }) => hasNoOutbox(organizationId));
  if (!told || !silent) throw new Error("Of these organizations none has, or all have an outbox.");
  await assertSwitchedOff(silent);
  const inProcess = await ratioInProcess(told, silent, size.inProcess);
  const body = JSON.stringify(ACCOUNT);
  const routes = [told, silent].map(({ token }) => ({
    name: "create",
    requests: [{ method: "POST" as const, path: "/api/v1/accounts", token, body }],
  }));
  const [on, off] = (await measureInTurn(routes, { origin, connections: CONNECTIONS, ...size.overHttp })) as [
    Result,
    Result,
  ];
  await assertSwitchedOff(silent);
  return [
    {
      name: "create without subscribers / with the outbox switched off, time in process",
      value: inProcess.toFixed(3),
      unit: "",
    },
    {
      name: "create without subscribers / with the outbox switched off, time over HTTP",
      value: ratio(off, on).toFixed(3),
      unit: "",
    },
    { name: "create over HTTP, without subscribers", value: Math.round(speedOf(on)), unit: "requests/s" },
  ];
}

/**
 * The median over the rounds; each has both ways, every other round in the other order. One round before them does not
 * count.
 */
async function ratioInProcess(told: Tenant, silent: Tenant, { rounds, seconds }: Rounds): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? [told, silent] : [silent, told];
    const times = new Map<Tenant, number>();
    for (const tenant of order) times.set(tenant, await timeOfCreate(tenant, seconds));
    if (round > 0) ratios.push((times.get(told) ?? Number.NaN) / (times.get(silent) ?? Number.NaN));
  }
  return median(ratios);
}

/** Milliseconds for each. */
async function timeOfCreate(tenant: Tenant, seconds: number): Promise<number> {
  const { inOrganization } = await import("@/lib/database/organization-scope");
  const { createRecord } = await import("@/lib/records/write/create-record");
  const { ENTITIES } = await import("@/lib/records/schema/registry");
  const context = contextOf(tenant);
  const started = performance.now();
  const end = started + seconds * 1000;
  let created = 0;
  async function work(): Promise<void> {
    for (; performance.now() < end; created += 1) await createRecord(ENTITIES.accounts, context, ACCOUNT);
  }
  await inOrganization(tenant.organizationId, () => Promise.all(Array.from({ length: LANES }, work)));
  return (performance.now() - started) / created;
}

/** What was written without an outbox must not have told anything, here or in the web process. */
async function assertSwitchedOff({ organizationId }: Tenant): Promise<void> {
  const { pool } = await import("@/tests/support/owner");
  const { rowCount } = await pool().query("SELECT FROM events WHERE organization_id = $1 LIMIT 1", [organizationId]);
  if (rowCount !== 0) throw new Error("The outbox was not switched off.");
}
