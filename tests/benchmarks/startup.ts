import { join } from "node:path";

import { startCluster } from "@/scripts/postgres/cluster";
import { median } from "@/tests/benchmarks/api/percentiles";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";
import { npmStart, startEmptyServer, withDataFolder } from "@/tests/benchmarks/npm-start";

const ROUNDS = 5;

/** Seconds. */
const GOAL = { atMost: 3 };

/** The database of the same data folder and an empty Node server, one after the other: nothing starts without them. */
async function floorOf(dataDir: string): Promise<number> {
  const started = performance.now();
  const cluster = await startCluster(join(dataDir, "postgres"));
  const database = (performance.now() - started) / 1000;
  await cluster.stop();
  await using server = await startEmptyServer();
  return database + server.seconds;
}

async function secondsOf(dataDir: string): Promise<number> {
  await using service = await npmStart(dataDir);
  return service.seconds;
}

/**
 * `npm start` on a warm checkout - installed, built, and with its data folder - until its first answer, in turns with
 * the floor. A first round, which builds and creates the database, is not counted.
 */
export async function run(): Promise<Measurement[]> {
  return withDataFolder(async (dataDir) => {
    await secondsOf(dataDir);
    const rounds: { ours: number; floor: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ ours: await secondsOf(dataDir), floor: await floorOf(dataDir) });
    const ours = median(rounds.map((round) => round.ours));
    const floor = median(rounds.map((round) => round.floor));
    return [
      { name: "npm start to first answer", value: Number(ours.toFixed(2)), unit: "s", goal: GOAL },
      { name: "floor: database and an empty Node server", value: Number(floor.toFixed(2)), unit: "s" },
      compare({
        what: "npm start to first answer, time",
        against: "database and an empty Node server",
        floor,
        ours,
        unit: "s",
        ratio: median(rounds.map((round) => round.ours / round.floor)),
      }),
    ];
  });
}
