import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { ROOT } from "@/scripts/service/root";

/**
 * Lets Next take its configuration from the build, as the server does that Next makes itself (`output: "standalone"`).
 * It would otherwise evaluate `next.config.mjs`, for which it wants its compilers, which a deployment has not.
 */
export async function useBuiltConfig(): Promise<void> {
  const { config } = JSON.parse(await readFile(join(ROOT, ".next", "required-server-files.json"), "utf8")) as {
    config: object;
  };
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
