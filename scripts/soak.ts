import { saveFigures, printFigures } from "@/scripts/bench/save-figures";
import { Fault, runCommand } from "@/scripts/service/fault";
import { type SoakResult, soak } from "@/tests/benchmarks/soak";
import { soakWithKills } from "@/tests/benchmarks/soak-kills";

interface Soak {
  title: string;
  fullMinutes: number;
  run: (minutes: number, secondsBetween: number) => Promise<SoakResult>;
}

const SOAKS: Record<string, Soak> = {
  load: { title: "REST API under mixed reads and writes, 64 connections", fullMinutes: 10, run: soak },
  kills: {
    title: "Two web and two worker processes, of which one is killed every 20 seconds",
    fullMinutes: 30,
    run: soakWithKills,
  },
};

const USAGE =
  "Usage: npm run soak -- load [minutes], or npm run soak -- kills [minutes] [seconds between kills]. Without " +
  "minutes it runs in full, and its figures are saved.";

const SECONDS_BETWEEN_KILLS = 20;

/**
 * `npm run soak -- load [minutes]`: mixed reads and writes of one web process, by default for ten minutes. Fails if a
 * request fails or memory grows. `npm run soak -- kills [minutes] [seconds between kills]`: the same with webhooks and
 * migrations on two web and two worker processes, one of which is killed every 20 seconds, by default for half an hour.
 * Fails if anything that was acknowledged is lost or doubled. The figures of a full run are saved in
 * docs/benchmarks.md.
 */
await runCommand(async () => {
  const [name = "load", ...given] = process.argv.slice(2);
  const chosen = Object.hasOwn(SOAKS, name) ? SOAKS[name] : undefined;
  if (!chosen) throw new Fault(`There is no soak "${name}". ${USAGE}`);
  const [minutes = chosen.fullMinutes, secondsBetween = SECONDS_BETWEEN_KILLS] = given.map(positive);
  console.log(`${name}: ${minutes} minutes`);
  const { measurements, faults } = await chosen.run(minutes, secondsBetween);
  printFigures(measurements);
  const isFull = minutes >= chosen.fullMinutes && secondsBetween === SECONDS_BETWEEN_KILLS;
  if (isFull) await saveFigures(chosen.title, measurements);
  if (faults.length > 0) throw new Fault(faults.join("\n"));
});

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Fault(`"${text}" is not a number above 0. ${USAGE}`);
  return number;
}
