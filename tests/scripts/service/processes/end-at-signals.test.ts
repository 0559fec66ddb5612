import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

import { expect, test } from "vitest";

/** Ends at a signal, until it is told to handle signals itself. */
const SCRIPT = `
  const { endAtSignals } = await import("./scripts/service/processes/end-at-signals.ts");
  const leaveSignals = endAtSignals();
  process.once("message", () => {
    process.on("SIGTERM", () => process.exit(7));
    leaveSignals();
    process.send("handles");
  });
  setInterval(() => undefined, 60_000);
  process.send("ready");`;

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", SCRIPT], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  expect((await once(child, "message"))[0]).toBe("ready");
  return child;
}

async function endedBy(child: ChildProcess): Promise<unknown[]> {
  child.kill("SIGTERM");
  return once(child, "exit");
}

test("a process that starts ends at SIGTERM by itself, as the first one of a container has to", async () => {
  expect(await endedBy(await start())).toEqual([143, null]);
});

test("once it handles signals itself, it ends as it says", async () => {
  const child = await start();
  child.send("go on");
  expect((await once(child, "message"))[0]).toBe("handles");
  expect(await endedBy(child)).toEqual([7, null]);
});
