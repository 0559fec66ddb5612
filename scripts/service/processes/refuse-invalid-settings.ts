import { SettingsFault } from "@/lib/env-rules";
import { makeDataFolder } from "@/scripts/service/data-folder";
import { Fault, REFUSAL_EXIT_CODE, refuseOldNode } from "@/scripts/service/fault";

/**
 * Ends web or worker before it is loaded, with a message instead of a stack, if Node is too old, or if its settings
 * are not valid, lack what requests and jobs need, or name a folder for data that cannot be written to. Without
 * DATABASE_URL it would try for ever; without APP_SECRET or its folder it would be ready, and fail requests and
 * migrations.
 */
export async function refuseInvalidSettings(): Promise<void> {
  refuseOldNode();
  try {
    const { env, requireSetting } = await import("@/lib/env");
    requireSetting("DATABASE_URL");
    requireSetting("APP_SECRET");
    await makeDataFolder(env.DATA_DIR);
  } catch (error) {
    if (!(error instanceof SettingsFault || error instanceof Fault)) throw error;
    // No log: it reads the settings, too.
    console.error(error.message);
    process.exit(REFUSAL_EXIT_CODE);
  }
}
