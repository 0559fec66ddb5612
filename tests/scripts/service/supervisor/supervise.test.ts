import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { expect, onTestFinished, test, vi } from "vitest";

import { REFUSAL_EXIT_CODE } from "@/scripts/service/fault";
import { startWebs, startWorkers } from "@/scripts/service/supervisor/start-processes";
import { extraStopMs, nextDelay, type Supervised, supervise } from "@/scripts/service/supervisor/supervise";

test("a process that cannot start is started again after growing delays, at most ten seconds", () => {
  const delays = [0, 0, 0, 0, 0, 0, 0].map(
    (
      (delay) => () =>
        (delay = nextDelay(delay, 100))
    )(0),
  );
  expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test("a process that had started is restarted without a growing delay, and after a minute the delay is reset", () => {
  expect([nextDelay(0, 3000), nextDelay(500, 3000), nextDelay(8000, 3000), nextDelay(8000, 60_000)]).toEqual([
    500, 500, 8000, 500,
  ]);
});

test("a process that refuses to start is started again after half a minute", () => {
  expect([nextDelay(0, 100, REFUSAL_EXIT_CODE), nextDelay(500, 3000, REFUSAL_EXIT_CODE)]).toEqual([30_000, 30_000]);
  expect(nextDelay(30_000, 3000)).toBe(10_000);
});

test("a process has as much longer to stop as the settings give it", () => {
  const settings = { ...process.env, STOP_DELAY_SECONDS: undefined, STOP_TIMEOUT_SECONDS: undefined };
  expect(extraStopMs(settings)).toBe(0);
  expect(extraStopMs({ ...settings, STOP_DELAY_SECONDS: "10", STOP_TIMEOUT_SECONDS: "300" })).toBe(310_000);
});

test.each([
  { what: "web process", start: startWebs, seconds: 315 },
  { what: "worker", start: startWorkers, seconds: 15 },
])("a $what that hangs is killed $seconds s after it was told to stop", async ({ start, seconds }) => {
  vi.stubEnv("STOP_DELAY_SECONDS", "");
  vi.stubEnv("STOP_TIMEOUT_SECONDS", "300");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [hung] = start({ web: 1, worker: 1 }, () => undefined);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    const left = hung?.pid();
    if (left !== undefined) process.kill(left, "SIGKILL");
  });
  process.kill(hung?.pid() ?? Number.NaN, "SIGSTOP");
  const stopped = hung?.stop();
  vi.advanceTimersByTime(1000 * seconds - 1);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  await stopped;
});

test("a process that cannot be spawned is reported, tried again, and can be stopped", async () => {
  const printed: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const print = (line: string): void => void (printed.push(line) === 2 && resolve());
  const missing = supervise({ name: "web", args: [], cwd: "/nowhere/at/all", env: process.env, print });
  await promise;
  await missing.stop();
  expect(printed[0]).toContain("The web process could not be started");
  expect(missing.pid()).toBeUndefined();
});

function superviseScript(script: string): Supervised {
  return supervise({ name: "web", args: ["-e", script], cwd: process.cwd(), env: process.env, print: () => undefined });
}

test("a process says whether it is ready, and one that does not answer in time says nothing", async () => {
  const answering = `process.on("message", ({ readinessOf }) => {
    process.send({ readinessOf: readinessOf - 1, readiness: "late" });
    process.send({ readinessOf, readiness: "ready" });
  })`;
  const hanging = `for (;;);`;
  const [open, hung] = [superviseScript(answering), superviseScript(hanging)];
  const said = await open.readiness(AbortSignal.timeout(20_000));
  expect(said).toBe("ready");
  expect(await hung.readiness(AbortSignal.timeout(100))).toBeUndefined();
  process.kill(hung.pid() ?? 0, "SIGKILL");
  await Promise.all([open.stop(), hung.stop()]);
  expect(await open.readiness(AbortSignal.timeout(20_000))).toBeUndefined();
});

test("a supervised process ends when its supervisor is killed", async () => {
  const child = `["--import", "tsx", "tests/scripts/fixtures/until-signal.ts", "1"]`;
  const script = `import("@/scripts/service/supervisor/supervise").then(({ supervise }) =>
    supervise({ name: "web", args: ${child}, cwd: process.cwd(), env: process.env, print: () => undefined }))`;
  const supervisor = spawn(process.execPath, ["--import", "tsx", "-e", script], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines = createInterface({ input: supervisor.stderr })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("ready");
  supervisor.kill("SIGKILL");
  expect((await lines.next()).value).toBe("SIGTERM");
  expect((await lines.next()).done).toBe(true);
});
