import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

/** The commands of an upgrade with Kubernetes. */
const [, commands = ""] =
  /^With Kubernetes, after .*\n```sh\n([^]*?)^```/m.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];

/** Runs them with a `kubectl` that says of the job, from the second time on, that it has ended like this. */
function upgrade(end: "complete" | "failed"): { code: number | null; asked: string } {
  const kubectl = `times=0
    kubectl() {
      echo "$*"
      case "$*" in
        *condition=${end}*) times=$((times + 1)); [ $times -gt 1 ] ;;
        *condition=*) false ;;
      esac
    }`;
  const { status, stdout } = spawnSync("sh", ["-c", `${kubectl}\n${commands}`], { encoding: "utf8", timeout: 20_000 });
  return { code: status, asked: stdout };
}

test("an upgrade goes on once the preparation has succeeded, and ends where it has failed", () => {
  const upgraded = upgrade("complete");
  expect([upgraded.code, upgraded.asked]).toEqual([0, expect.stringMatching(/part=worker[^]*part=web\n$/)]);
  const failed = upgrade("failed");
  expect([failed.code, failed.asked]).toEqual([1, expect.not.stringContaining("part=worker")]);
});
