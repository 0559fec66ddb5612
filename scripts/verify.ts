import { checkBoundaries, leastModules } from "@/scripts/check-boundaries";
import { checkCitedPaths } from "@/scripts/check-cited-paths";
import { Fault, runCommand } from "@/scripts/service/fault";
import { runTool } from "@/scripts/service/program";

const CHECKS: Record<string, () => Promise<void>> = {
  format: () => runTool("oxfmt", ["--check"], { quiet: true }),
  lint: () => runTool("oxlint", ["--type-aware", "--deny-warnings"], { quiet: true }),
  types: () => runTool("tsc", ["--noEmit", "-p", "."], { quiet: true }),
  boundaries: assertBoundaries,
  "dead code": () => runTool("knip", [], { quiet: true }),
  "cited paths": checkCitedPaths,
};

async function assertBoundaries(): Promise<void> {
  const { modules, violations } = await checkBoundaries();
  if (violations.length > 0)
    throw new Fault(`These imports go against the direction of docs/architecture.md:\n${violations.join("\n")}`);
  if (modules < leastModules())
    throw new Fault(`The boundaries check saw only ${modules} modules: it did not read the project.`);
}

async function timed(name: string, check: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await check();
  console.log(`✓ ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

/** `npm run verify`: format, lint, types, boundaries, dead code, and paths that the documents cite, side by side. */
await runCommand(async () => {
  const checks = Object.entries(CHECKS).map(([name, check]) => timed(name, check));
  await Promise.allSettled(checks);
  await Promise.all(checks);
});
