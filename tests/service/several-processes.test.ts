import { afterAll, beforeAll, expect, test } from "vitest";

import { type SeveralProcesses, startSeveralProcesses } from "@/tests/service/setup/several-processes";

const SCRAPER = "a-token-for-scrapers-with-32-characters";

let service: SeveralProcesses;

const canShare = process.platform === "linux";
if (!canShare) console.warn("Left out: several web processes, which can share a port only on Linux.");

beforeAll(async () => {
  if (!canShare) return;
  service = await startSeveralProcesses({ METRICS_TOKEN: SCRAPER });
});

afterAll(() => service?.stop());

/** On a connection of its own. The port of the service, unless another is named. */
function ask(path: string, port = service.port): Promise<Response> {
  const headers = { authorization: `Bearer ${SCRAPER}`, connection: "close" };
  return fetch(`http://127.0.0.1:${port}${path}`, { headers });
}

/** Whether a process shows its metrics at the port: not before it runs. */
function isShown(port: number): Promise<boolean> {
  return ask("/api/metrics", port).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** How many requests for the API's document a web process has answered. */
async function counted(port: number): Promise<number> {
  const metrics = await (await ask("/api/metrics", port)).text();
  return Number(/^crm_http_request_duration_seconds_count\{.*openapi.*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

test.skipIf(!canShare)(
  "two web processes share the port, and each process shows its metrics at a port of its own",
  async () => {
    const asked = 40;
    const metrics = [0, 1, 2, 3].map((index) => service.metricsPort + index);
    for (const port of metrics) await expect.poll(() => isShown(port)).toBe(true);
    expect(service.pids()).toEqual({ web: [expect.any(Number), expect.any(Number)], worker: expect.any(Array) });
    for (let index = 0; index < asked; index += 1)
      expect(await (await ask("/api/v1/openapi.json")).text()).toMatch(/^{/);
    const counts = await Promise.all(metrics.slice(2).map(counted));
    expect(counts.reduce((sum, count) => sum + count)).toBe(asked);
    expect(counts.every((count) => count > 0)).toBe(true);
    const shared = await ask("/api/metrics");
    expect([shared.status, (await shared.json()).code]).toEqual([409, "illegal_state"]);
  },
);

test.skipIf(!canShare)(
  "when one web process is killed the other goes on serving, and the first is started again",
  async () => {
    const [killed = 0, ...others] = service.pids().web;
    process.kill(killed, "SIGKILL");
    await expect.poll(() => service.pids().web).not.toContain(killed);
    for (let index = 0; index < 20; index += 1) expect((await ask("/api/health/ready")).status).toBe(200);
    for (const index of [2, 3]) await expect.poll(() => isShown(service.metricsPort + index)).toBe(true);
    expect(service.pids().web).toEqual(expect.arrayContaining(others));
  },
);
