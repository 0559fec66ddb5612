import { join } from "node:path";

import { buildIfNeeded } from "@/scripts/service/build";
import { SCOPES, type Context } from "@/lib/context";
import { stopRequest } from "@/scripts/service/stop-request";
import { LoadProcess } from "@/tests/benchmarks/api/load-process";
import { withOwnService } from "@/tests/benchmarks/api/own-service";
import { createTenants, type Tenant } from "@/tests/benchmarks/api/tenants";
import type { BareLoop } from "@/tests/benchmarks/webhooks/bare-loop";
import type { ReceiverOrder, ReceiverReport } from "@/tests/benchmarks/webhooks/receiver";

/** So many that some have an outbox and some have none, see without-outbox.ts. */
const TENANTS = 12;
const PRELOAD = `--import tsx --import ${join(import.meta.dirname, "without-outbox.ts")}`;

/**
 * What the measurements of webhooks stand on: the service, a receiver and a generator of load, each in processes of its
 * own.
 */
export interface Ground {
  receiver: LoadProcess<ReceiverOrder, ReceiverReport>;
  bareLoop: LoadProcess<BareLoop, number>;
  /** Of the receiver. */
  endpoint: string;
  /** Of the API. */
  origin: string;
  tenants: readonly Tenant[];
  /** An admin of the organization whose webhooks are measured. */
  context: Context;
}

/**
 * Runs `measure` beside the built service as `npm start` starts it, but for {@link PRELOAD}, and ends all processes
 * afterwards.
 */
export async function withGround<T>(measure: (ground: Ground) => Promise<T>): Promise<T> {
  await buildIfNeeded((line) => console.error(line), stopRequest());
  Object.assign(process.env, { ALLOW_PRIVATE_NETWORK: "true", NODE_OPTIONS: PRELOAD });
  return withOwnService("npm run bench", async (service) => {
    delete process.env.NODE_OPTIONS;
    await import("@/tests/benchmarks/webhooks/without-outbox");
    const { registerSender } = await import("@/inngest/client");
    registerSender();
    const tenants = await createTenants(service, TENANTS);
    await using receiver = new LoadProcess<ReceiverOrder, ReceiverReport>(join(import.meta.dirname, "receiver.ts"));
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

/** What a request of the tenant's admin works with. */
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
