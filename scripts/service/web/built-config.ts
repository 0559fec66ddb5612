import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { ROOT } from "@/scripts/service/root";

/**
 * Makes Next believe that it has read `.env` and the like (processEnv of @next/env). Its bundles would otherwise have
 * settings from there that the rest of the service does not know, which reads the environment alone.
 */
export const WITHOUT_ENV_FILES = { __NEXT_PROCESSED_ENV: "true" };

/**
 * Lets Next take its configuration from the build, as the server does that Next makes itself (`output: "standalone"`).
 * It would otherwise evaluate `next.config.mjs`, for which it wants its compilers, which a deployment has not. Its
 * settings are those of the environment.
 */
export async function useBuiltConfig(): Promise<void> {
  const { config } = JSON.parse(await readFile(join(ROOT, ".next", "required-server-files.json"), "utf8")) as {
    config: object;
  };
  Object.assign(process.env, WITHOUT_ENV_FILES, { __NEXT_PRIVATE_STANDALONE_CONFIG: JSON.stringify(config) });
}
