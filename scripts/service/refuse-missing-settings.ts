import { requireSetting } from "@/lib/env";
import { log } from "@/lib/log";

/**
 * Ends web or worker without a setting that requests and jobs need. Without DATABASE_URL it would try for ever; without
 * APP_SECRET it would be ready, and fail nearly all of them.
 */
export function refuseMissingSettings(): void {
  try {
    requireSetting("DATABASE_URL");
    requireSetting("APP_SECRET");
  } catch (error) {
    log.fatal((error as Error).message);
    process.exit(1);
  }
}
