import { totalmem } from "node:os";

import { afterEach, expect, test, vi } from "vitest";

import { assertMetricsPorts, readProcessCounts } from "@/scripts/service/supervisor/process-counts";

const GB = 2 ** 30;

afterEach(() => vi.unstubAllEnvs());

function given(web: string, worker = "", settings: Record<string, string> = {}): void {
  const none = { DATABASE_URL: "", METRICS_TOKEN: "", METRICS_PORT: "" };
  const all = { ...none, ...settings, WEB_PROCESSES: web, WORKER_PROCESSES: worker };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
}

const LARGE = { cores: 16, memoryBytes: 64 * GB, sharesPorts: true };

test.each([
  { cores: 1, memory: 1, web: 1, worker: 1 },
  { cores: 2, memory: 24, web: 1, worker: 1 },
  { cores: 4, memory: 8, web: 2, worker: 1 },
  { cores: 8, memory: 4, web: 2, worker: 2 },
  { cores: 8, memory: 32, web: 4, worker: 2 },
  { cores: 64, memory: 256, web: 4, worker: 2 },
])("$cores cores and $memory GB run $web web processes and $worker workers", ({ cores, memory, ...counts }) => {
  given("");
  expect(readProcessCounts({ cores, memoryBytes: memory * GB, sharesPorts: true })).toEqual(counts);
});

test("a database of the operator's and metrics without ports for them get no more processes by themselves", () => {
  given("", "", { DATABASE_URL: "postgresql://any/crm" });
  expect(readProcessCounts(LARGE)).toEqual({ web: 1, worker: 1 });
  given("", "", { METRICS_TOKEN: "any" });
  expect(readProcessCounts(LARGE)).toEqual({ web: 1, worker: 2 });
  given("", "", { METRICS_TOKEN: "any", METRICS_PORT: "9464" });
  expect(readProcessCounts(LARGE)).toEqual({ web: 4, worker: 2 });
});

test("this machine has no more memory than it has, with a limit or without one", () => {
  given("");
  const { web } = readProcessCounts();
  expect(web).toBeLessThanOrEqual(Math.max(1, totalmem() / (2 * GB)));
});

test("with an Inngest server there is no worker", () => {
  given("2", "2", { INNGEST_BASE_URL: "http://inngest:8288", INNGEST_EVENT_KEY: "key", INNGEST_SIGNING_KEY: "key" });
  expect(readProcessCounts(LARGE)).toEqual({ web: 2, worker: 0 });
});

test("ports for metrics that there are not, or that are the service's own, are refused", () => {
  given("", "", { METRICS_PORT: "65533" });
  expect(() => assertMetricsPorts({ web: 1, worker: 2 }, 3000)).not.toThrow();
  expect(() => assertMetricsPorts({ web: 2, worker: 2 }, 3000)).toThrow("65533 to 65536");
  given("", "", { METRICS_PORT: "9700x" });
  expect(() => assertMetricsPorts({ web: 1, worker: 1 }, 3000)).toThrow('METRICS_PORT is "9700x", which is not a port');
  given("", "", { METRICS_PORT: "2998" });
  expect(() => assertMetricsPorts({ web: 1, worker: 2 }, 3000)).not.toThrow();
  expect(() => assertMetricsPorts({ web: 2, worker: 2 }, 3000)).toThrow("2998 to 3001. These must be");
});

test("the settings decide, whatever the machine has", () => {
  given("3", "2");
  expect(readProcessCounts({ cores: 1, memoryBytes: GB, sharesPorts: true })).toEqual({ web: 3, worker: 2 });
});

test("where processes cannot share a port there is one web process, and more are refused", () => {
  const machine = { cores: 16, memoryBytes: 64 * GB, sharesPorts: false };
  given("");
  expect(readProcessCounts(machine)).toEqual({ web: 1, worker: 2 });
  given("2");
  expect(() => readProcessCounts(machine)).toThrow(/WEB_PROCESSES is 2, but .* only on Linux/);
});

test.each(["0", "17", "1.5", "many", "-1", "2 ", "1e1"])("a count of %s is refused with its bounds", (value) => {
  given(value);
  expect(() => readProcessCounts()).toThrow(`WEB_PROCESSES is "${value}". Set it to a number from 1 to 16`);
  given("", value);
  expect(() => readProcessCounts()).toThrow(`WORKER_PROCESSES is "${value}"`);
});
