import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

const page = readFileSync("docs/deploy.md", "utf8");

/** The first commands after a paragraph that begins so. */
function commandsAfter(beginning: string): string {
  const [, after = ""] = page.split(`\n${beginning}`);
  return /^```sh\n([^]*?)^```/m.exec(after)?.[1] ?? "";
}

/** Runs commands with a `kubectl` that says of the job, from the second time on, that it has ended like this. */
function run(commands: string, end: "complete" | "failed"): { code: number | null; asked: string } {
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
  const commands = commandsAfter("With Kubernetes, after ");
  const upgraded = run(commands, "complete");
  expect([upgraded.code, upgraded.asked]).toEqual([0, expect.stringMatching(/part=worker[^]*part=web\n$/)]);
  const failed = run(commands, "failed");
  expect([failed.code, failed.asked]).toEqual([1, expect.not.stringContaining("part=worker")]);
});

test("who goes back replaces web before the workers, which would not know what a newer web asks for", () => {
  const { asked } = run(commandsAfter("To go back, "), "complete");
  expect(asked).toMatch(/part=web\n.*rollout status deployment\/crm-web\n.*part=worker\n$/);
  const orders = [...page.matchAll(/--no-deps (\w+) && docker compose up --detach --no-deps (\w+)/g)];
  expect(orders.map(([, first, second]) => [first, second])).toEqual([
    ["worker", "web"],
    ["web", "worker"],
  ]);
});

test("a rotation in Kubernetes can be repeated, and ends with its job, also when that fails", () => {
  const commands = commandsAfter("In Kubernetes, with `APP_SECRET_PREVIOUS` ");
  for (const end of ["complete", "failed"] as const) {
    const { asked } = run(commands, end);
    const steps = asked.trim().split("\n");
    expect(steps[0]).toBe("-n crm delete job crm-rotate-secret --ignore-not-found");
    expect(steps[1]).toMatch(/^-n crm create /);
    expect(steps.slice(-2)).toEqual([
      expect.stringContaining(`condition=${end} `),
      "-n crm logs job/crm-rotate-secret",
    ]);
  }
});

test("a program that is started by hand is given the secret with the addresses of the database", () => {
  const byHand = page.match(/^.*DATABASE_URL=.*\\\n +node dist\/[\w-]+\.js$/gm) ?? [];
  expect(byHand.length).toBe(2);
  expect(byHand.filter((command) => !command.startsWith("APP_SECRET="))).toEqual([]);
});
