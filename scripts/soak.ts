import { saveFigures, printFigures } from "@/scripts/bench/save-figures";
import { Fault, runCommand } from "@/scripts/service/fault";
import { soak } from "@/tests/benchmarks/soak";

const TITLE = "REST API under mixed reads and writes, 64 connections";
const FULL_MINUTES = 10;

/**
 * `npm run soak [-- <minutes>]`: ten minutes of mixed reads and writes. Fails if a request fails or memory grows. The
 * figures of a full run are saved in docs/benchmarks.md.
 */
await runCommand(async () => {
  const minutes = Number(process.argv[2] ?? FULL_MINUTES);
  if (!(minutes > 0))
    throw new Fault(`"${process.argv[2]}" is not a number of minutes. Usage: npm run soak [-- <minutes>]`);
  console.log(`${TITLE}, ${minutes} minutes`);
  const { measurements, faults } = await soak(minutes);
  printFigures(measurements);
  if (minutes >= FULL_MINUTES) await saveFigures(TITLE, measurements);
  if (faults.length > 0) throw new Fault(faults.join("\n"));
});
