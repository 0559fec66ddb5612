import { globSync } from "node:fs";

import { cruise, type IConfiguration, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";

import configuration from "@/.dependency-cruiser.mjs";

/** The result of the check. */
export interface Boundaries {
  modules: number;
  violations: string[];
}

const FOLDERS = ["app", "components", "inngest", "lib", "sandbox-org", "scripts", "tests"];

/** If the check reads a smaller share of the project's source files, it did not read the project. */
const MIN_SHARE = 0.95;

/**
 * The least number of modules that a check of the whole project reads, from the files on disk: it also works in a copy
 * without git.
 */
export function minModules(): number {
  const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ["lib/generated/**"] }));
  return Math.floor(files.length * MIN_SHARE);
}

/** Checks the direction of every import. The number of modules shows whether the check read anything. */
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
