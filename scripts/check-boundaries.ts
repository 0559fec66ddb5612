import { globSync } from "node:fs";

import { cruise, type IConfiguration, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";

import configuration from "@/.dependency-cruiser.mjs";

/** What the boundaries check saw and what it objects to. */
export interface Boundaries {
  modules: number;
  violations: string[];
}

const FOLDERS = ["app", "components", "inngest", "lib", "scripts", "tests"];

/** Less than this of the project's source files seen means that the check did not read the project. */
const LEAST_SHARE = 0.95;

/**
 * How many modules a check of the whole project must have seen, by the files that lie there: a copy without git can be
 * checked too.
 */
export function leastModules(): number {
  const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ["lib/generated/**"] }));
  return Math.floor(files.length * LEAST_SHARE);
}

/** Checks the direction of every import. The number of modules tells a check that passed from one that read nothing. */
export async function checkBoundaries(folders: readonly string[] = FOLDERS): Promise<Boundaries> {
  const { options, ...ruleSet } = configuration as IConfiguration;
  const { output } = await cruise(
    [...folders],
    { ...options, ruleSet, validate: true },
    {},
    { tsConfig: extractTSConfig("tsconfig.json") },
  );
  const { summary, modules } = output as ICruiseResult;
  const violations = summary.violations.map(
    (violation) => `${violation.rule.name}: ${violation.from} → ${violation.to}`,
  );
  return { modules: modules.filter((module) => !module.source.includes("node_modules")).length, violations };
}
