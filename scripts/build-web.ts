import { join } from "node:path";

import { compactChunks } from "@/scripts/service/build/compact-chunks";
import { WITHOUT_ENV_FILES } from "@/scripts/service/web/built-config";
import { compressStatic } from "@/scripts/service/web/static-files";
import { runCommand } from "@/scripts/service/fault";
import { runTool } from "@/scripts/service/program";
import { ROOT } from "@/scripts/service/root";

/**
 * Builds the web application into `.next`. `npm start` runs it in a process of its own, because what it uses would stay
 * in the supervisor's memory.
 */
await runCommand(async () => {
  await runTool("next", ["build"], {
    name: "next build",
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...WITHOUT_ENV_FILES },
  });
  await compactChunks(join(ROOT, ".next"));
  await compressStatic(join(ROOT, ".next"));
});
