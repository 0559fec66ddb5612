import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { Fault, Stopped } from "@/scripts/service/fault";
import { startTimeOf } from "@/scripts/service/process-identity";
import { runProgram } from "@/scripts/service/program";

test("an aborted program ends with all processes it started, and the reason is thrown", async () => {
  const file = join(tmpdir(), `crm-program-${process.pid}`);
  const stop = new AbortController();
  const outcome = runProgram("sh", ["-c", `sleep 60 & echo $! > ${file}; wait`], {
    quiet: true,
    stopSignal: stop.signal,
  });
  const grandchild = async (): Promise<number> => Number(await readFile(file, "utf8").catch(() => 0));
  await expect.poll(grandchild, { timeout: 30_000 }).toBeGreaterThan(0);
  const pid = await grandchild();
  stop.abort(new Stopped("SIGINT"));
  await expect(outcome).rejects.toThrow(Stopped);
  await expect.poll(() => startTimeOf(pid)).toBeUndefined();
  await rm(file);
});

test("the error of a failed program has its name and exit code", async () => {
  await expect(runProgram("sh", ["-c", "exit 3"], { name: "The build", quiet: true })).rejects.toThrow(
    new Fault("The build failed (exit code 3). The lines above say why."),
  );
});
