import { median } from "@/tests/benchmarks/api/percentiles";
import { measureInTurn, ratio, type Result, speedOf } from "@/tests/benchmarks/api/rounds";
import type { Tenant } from "@/tests/benchmarks/api/tenants";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";
import { ACCOUNT } from "@/tests/benchmarks/webhooks/backlog";
import { contextOf } from "@/tests/benchmarks/webhooks/setup";
import { hasNoOutbox } from "@/tests/benchmarks/webhooks/without-outbox";

/** Many short rounds, so that other work of the machine affects both variants equally. */
interface Rounds {
  rounds: number;
  /** Length of one round of one variant. */
  seconds: number;
}

interface Size {
  inProcess: Rounds;
  overHttp: Rounds;
}

const CONNECTIONS = 16;
/** Concurrency in this process. More would only measure this process. */
const LANES = 4;

/**
 * The cost of a write without subscribers with its outbox, as a multiple of the same write without the outbox: over
 * HTTP, and in this process.
 */
export async function measureOutboxCost(
  origin: string,
  tenants: readonly Tenant[],
  size: Size,
): Promise<Measurement[]> {
  const withOutbox = tenants.find(({ organizationId }) => !hasNoOutbox(organizationId));
  const withoutOutbox = tenants.find(({ organizationId }) => hasNoOutbox(organizationId));
  if (!withOutbox || !withoutOutbox) throw new Error("Either none or all of these organizations have an outbox.");
  await assertSwitchedOff(withoutOutbox);
  const inProcess = await timesInProcess(withOutbox, withoutOutbox, size.inProcess);
  const body = JSON.stringify(ACCOUNT);
  const routes = [withOutbox, withoutOutbox].map(({ token }) => ({
    name: "create",
    requests: [{ method: "POST" as const, path: "/api/v1/accounts", token, body }],
  }));
  const [on, off] = (await measureInTurn(routes, { origin, connections: CONNECTIONS, ...size.overHttp })) as [
    Result,
    Result,
  ];
  await assertSwitchedOff(withoutOutbox);
  return [
    compare({
      what: "create without subscribers, time in process",
      against: "with the outbox switched off",
      ...inProcess,
      unit: "ms",
    }),
    compare({
      what: "create without subscribers, time over HTTP",
      against: "with the outbox switched off",
      floor: (CONNECTIONS / speedOf(off)) * 1000,
      ours: (CONNECTIONS / speedOf(on)) * 1000,
      unit: "ms",
      ratio: ratio(off, on),
    }),
    { name: "create over HTTP, without subscribers", value: Math.round(speedOf(on)), unit: "requests/s" },
  ];
}

/**
 * The median over the rounds. Each round has both variants, every other one in reverse order. A first round is not
 * counted.
 */
async function timesInProcess(
  withOutbox: Tenant,
  withoutOutbox: Tenant,
  { rounds, seconds }: Rounds,
): Promise<{ ours: number; floor: number; ratio: number }> {
  const measured: { ours: number; floor: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? [withOutbox, withoutOutbox] : [withoutOutbox, withOutbox];
    const times = new Map<Tenant, number>();
    for (const tenant of order) times.set(tenant, await timeOfCreate(tenant, seconds));
    const [ours = Number.NaN, floor = Number.NaN] = [times.get(withOutbox), times.get(withoutOutbox)];
    if (round > 0) measured.push({ ours, floor });
  }
  return {
    ours: median(measured.map(({ ours }) => ours)),
    floor: median(measured.map(({ floor }) => floor)),
    ratio: median(measured.map(({ ours, floor }) => ours / floor)),
  };
}

/** Milliseconds per record. */
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

/** Asserts that writes without an outbox emitted no events, here and in the web process. */
async function assertSwitchedOff({ organizationId }: Tenant): Promise<void> {
  const { pool } = await import("@/tests/support/owner");
  const { rowCount } = await pool().query("SELECT FROM events WHERE organization_id = $1 LIMIT 1", [organizationId]);
  if (rowCount !== 0) throw new Error("The outbox was not switched off.");
}
