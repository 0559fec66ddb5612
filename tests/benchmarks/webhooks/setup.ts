import { join } from "node:path";

import { buildIfNeeded } from "@/scripts/service/build/build-if-needed";
import { SCOPES, type Context } from "@/lib/context";
import { stopRequest } from "@/scripts/service/stop-request";
import { LoadProcess } from "@/tests/benchmarks/api/load-process";
import { withOwnService } from "@/tests/benchmarks/api/own-service";
import { createTenants, type Tenant } from "@/tests/benchmarks/api/tenants";
import type { BareLoop } from "@/tests/benchmarks/webhooks/bare-loop";
import type { ReceiverTask, ReceiverReport } from "@/tests/benchmarks/webhooks/receiver";

/** Enough that some have an outbox and some have none; see without-outbox.ts. */
const TENANTS = 12;
const PRELOAD = `--import tsx --import ${join(import.meta.dirname, "without-outbox.ts")}`;

/** What the webhook benchmarks need: the service, a receiver and a load generator, each in separate processes. */
export interface BenchmarkSetup {
  receiver: LoadProcess<ReceiverTask, ReceiverReport>;
  bareLoop: LoadProcess<BareLoop, number>;
  /** Origin of the receiver. */
  endpoint: string;
  /** Origin of the API. */
  origin: string;
  tenants: readonly Tenant[];
  /** An admin of the organization whose webhooks are measured. */
  context: Context;
}

/**
 * Runs `measure` beside the built service as started by `npm start`, except for {@link PRELOAD}, and ends all processes
 * afterwards.
 */
export async function withBenchmarkSetup<T>(measure: (setup: BenchmarkSetup) => Promise<T>): Promise<T> {
  await buildIfNeeded((line) => console.error(line), stopRequest());
  Object.assign(process.env, { ALLOW_PRIVATE_NETWORK: "true", NODE_OPTIONS: PRELOAD });
  return withOwnService("npm run bench", async (service) => {
    delete process.env.NODE_OPTIONS;
    await import("@/tests/benchmarks/webhooks/without-outbox");
    const { registerSender } = await import("@/inngest/client");
    registerSender();
    const tenants = await createTenants(service, TENANTS);
    await using receiver = new LoadProcess<ReceiverTask, ReceiverReport>(join(import.meta.dirname, "receiver.ts"));
    await using bareLoop = new LoadProcess<BareLoop, number>(join(import.meta.dirname, "bare-loop.ts"));
    const endpoint = `http://127.0.0.1:${(await receiver.run({})).port}`;
    const { hasNoOutbox } = await import("@/tests/benchmarks/webhooks/without-outbox");
    const tenant = tenants.find(({ organizationId }) => !hasNoOutbox(organizationId));
    if (!tenant) throw new Error("None of the organizations has an outbox.");
    return await measure({
      receiver,
      bareLoop,
      endpoint,
      origin: service.baseUrl,
      tenants,
      context: contextOf(tenant),
    });
  });
}

/** The context of a request by the tenant's admin. */
export function contextOf({ organizationId, userId }: Tenant): Context {
  return {
    requestId: "benchmark",
    organizationId,
    userId,
    role: "admin",
    clientId: null,
    scopes: new Set(SCOPES),
    address: null,
  };
}
