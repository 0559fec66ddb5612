import { Fault, runCommand } from "@/scripts/service/fault";
import { runTool } from "@/scripts/service/program";
import { checkBoundaries, minModules } from "@/scripts/verify/check-boundaries";
import { checkCitedPaths } from "@/scripts/verify/check-cited-paths";

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
    throw new Fault(`These imports are against the direction in docs/architecture.md:\n${violations.join("\n")}`);
  if (modules < minModules())
    throw new Fault(`The boundaries check read only ${modules} modules, which is not the whole project.`);
}

async function timed(name: string, check: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await check();
  console.log(`✓ ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

/** `npm run verify`: format, lint, types, boundaries, dead code and cited paths, in parallel. */
await runCommand(async () => {
  const checks = Object.entries(CHECKS).map(([name, check]) => timed(name, check));
  await Promise.allSettled(checks);
  await Promise.all(checks);
});
