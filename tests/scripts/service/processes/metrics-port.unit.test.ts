import { expect, test, vi } from "vitest";

import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { freePort } from "@/scripts/service/free-port";
import { listenAtMetricsPort } from "@/scripts/service/processes/metrics-port";

/** The statuses and texts at the metrics' port of a process with these settings. */
async function ask(port: number, path: string): Promise<[number, string]> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
  return [answer.status, await answer.text()];
}

test("a worker shows a probe that it lives and whether it takes jobs, also without a token for metrics", async () => {
  const { METRICS_PORT, METRICS_TOKEN } = env;
  const port = await freePort();
  Object.assign(env, { METRICS_PORT: port, METRICS_TOKEN: undefined });
  let takesJobs = false;
  try {
    listenAtMetricsPort(() => takesJobs);
    await expect.poll(() => ask(port, "/api/health/live").catch(() => [])).toEqual([200, '{"status":"ok"}']);
    expect(await ask(port, "/api/health/ready")).toEqual([503, '{"status":"not ready"}']);
    takesJobs = true;
    expect(await ask(port, "/api/health/ready?now")).toEqual([200, '{"status":"ready"}']);
    expect((await ask(port, "/api/metrics"))[0]).toBe(404);
    expect(await ask(port, "/api/health")).toEqual([404, ""]);
  } finally {
    Object.assign(env, { METRICS_PORT, METRICS_TOKEN });
  }
});

test("a port that is taken is told of, and is no reason not to work", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const { METRICS_PORT } = env;
  env.METRICS_PORT = await freePort();
  try {
    listenAtMetricsPort();
    listenAtMetricsPort();
    await expect.poll(() => warn.mock.calls.length).toBe(1);
  } finally {
    env.METRICS_PORT = METRICS_PORT;
  }
});
