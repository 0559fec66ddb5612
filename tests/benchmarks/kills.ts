import { setTimeout as delay } from "node:timers/promises";

import type { Measurement } from "@/tests/benchmarks/measurement";
import { withService } from "@/tests/benchmarks/temporary-database";

/** `BENCH_RECORDS=1000000 npm run bench -- kills` for another size. */
const RECORDS = Number(process.env.BENCH_RECORDS ?? 100_000);

const KILLS = 50;

/**
 * Imports the sandbox org into two organizations: once undisturbed, and once by workers that are killed fifty times
 * without warning (SIGKILL), each at a random moment of its fiftieth of the work. Then compares every record. Throws if
 * anything differs.
 */
export async function run(): Promise<Measurement[]> {
  return withService(async ({ startOrg }) => {
    const { registerSender } = await import("@/inngest/client");
    const { createMigration, finishedOf } = await import("@/tests/migration/support/run-migration");
    const { kill, progressOf, startWorkers, untilBeyond } = await import("@/tests/migration/support/killed-worker");
    const { compareContent } = await import("@/tests/migration/support/same-content");
    const { requestRun } = await import("@/tests/benchmarks/request-run");
    registerSender();
    const org = await startOrg(RECORDS);
    const workers = startWorkers();
    try {
      const undisturbed = await createMigration(undefined, org);
      await requestRun(undisturbed);
      while ((await progressOf(undisturbed)) < Number.POSITIVE_INFINITY) await delay(500);

      const killed = await createMigration(undefined, org);
      await requestRun(killed);
      const pauses: number[] = [];
      for (let index = 0; index < KILLS; index += 1) {
        await untilBeyond(killed, Math.floor(((index + Math.random()) * RECORDS * 0.98) / KILLS));
        await delay(Math.random() * 30);
        if ((await progressOf(killed)) === Number.POSITIVE_INFINITY) throw new Error("The run ended too early.");
        pauses.push(await kill(workers, killed));
        console.log(`killed ${index + 1} times; ${await progressOf(killed)} records`);
      }
      while ((await progressOf(killed)) < Number.POSITIVE_INFINITY) await delay(500);

      const [expected, found] = [await finishedOf(undisturbed), await finishedOf(killed)];
      if (JSON.stringify(expected) !== JSON.stringify(found))
        throw new Error(`The counts differ: ${JSON.stringify(expected)}, ${JSON.stringify(found)}`);
      if (!expected.status.startsWith("completed")) throw new Error(`The runs ended as ${expected.status}.`);
      const { same, different } = await compareContent(undisturbed.organizationId, killed.organizationId);
      if (different.length > 0) throw new Error(`Records differ: ${different.join(", ")}`);
      return [
        { name: "records in the source", value: RECORDS, unit: "" },
        { name: "killed", value: pauses.length, unit: "times" },
        { name: "records that are the same in both", value: same, unit: "" },
        { name: "records that differ", value: different.length, unit: "", limit: { atMost: 0 } },
        { name: "longest time until the next worker had stored a page", value: Math.max(...pauses) / 1000, unit: "s" },
      ];
    } finally {
      await workers.stop();
    }
  });
}

if (import.meta.main) {
  for (const { name, value, unit } of await run()) console.log(`${name}: ${value} ${unit}`.trim());
}
