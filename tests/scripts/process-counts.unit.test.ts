import { afterEach, expect, test, vi } from "vitest";

import { readProcessCounts } from "@/scripts/service/process-counts";

const GB = 2 ** 30;

afterEach(() => vi.unstubAllEnvs());

function given(web: string, worker = ""): void {
  vi.stubEnv("WEB_PROCESSES", web);
  vi.stubEnv("WORKER_PROCESSES", worker);
}

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

test.each(["0", "17", "1.5", "many", "-1"])("a count of %s is refused with its bounds", (value) => {
  given(value);
  expect(() => readProcessCounts()).toThrow(`WEB_PROCESSES is "${value}". Set it to a number from 1 to 16`);
  given("", value);
  expect(() => readProcessCounts()).toThrow(`WORKER_PROCESSES is "${value}"`);
});
