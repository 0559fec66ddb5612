import { join } from "node:path";

import { explained, messageOf } from "@/scripts/postgres/explain-failure";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { runtimeUrlOf } from "@/scripts/postgres/row-level-security";
import { endAtSignals } from "@/scripts/service/processes/end-at-signals";
import { Fault, runCommand } from "@/scripts/service/fault";
import { setupInvitation } from "@/scripts/service/welcome";
import { FORGET_SECRETS, type PreparedDatabase } from "@/scripts/service/prepare-in-process";
import { readAppSecrets, readSettings, secretsOf } from "@/scripts/service/settings";
import { ROOT } from "@/scripts/service/root";
import { storeStaticFiles } from "@/scripts/postgres/store-static-files";

/**
 * Checks all settings, then brings the database of DATABASE_URL, whose user owns the tables, to what this release
 * needs. `npm start` runs it in a process of its own, because what it loads would stay in the supervisor's memory.
 * Where web and worker are started by hand it runs before them, with the same settings.
 */
async function prepare(): Promise<PreparedDatabase> {
  const { databaseUrl, databaseRuntimeUrl, dataDir, appUrl } = readSettings();
  if (databaseUrl === undefined) throw new Fault("DATABASE_URL is not set. It is the address of the tables' owner.");
  // The supervisor's processes get the secret of DATA_DIR; those that are started by hand do not read it.
  if (!process.send && !process.env.APP_SECRET)
    throw new Fault("APP_SECRET is not set. Set it to the one of web and worker, which do not start without it.");
  const secrets = await readAppSecrets(dataDir);
  // For `npm run rotate-secret`, which locks the data folder and encrypts again. By hand it would do half of that.
  const forgetsSecrets = process.send !== undefined && process.argv.includes(FORGET_SECRETS);
  const access = { runtimeUrl: databaseRuntimeUrl, secrets: secretsOf(secrets), forgetsSecrets };
  // The settings are read once, so with what web and worker have: the invitation is looked up as their user.
  const ofService = await explained(databaseUrl, runtimeUrlOf(databaseUrl, access));
  Object.assign(process.env, { ...secrets, DATABASE_URL: ofService });
  await checkSettings();
  const { applied, runtimeUrl } = await explained(databaseUrl, prepareDatabase(databaseUrl, access));
  await storeStaticFiles(databaseUrl, join(ROOT, ".next"));
  // A running service must not end because of a hint.
  return { applied, runtimeUrl, invitation: await setupInvitation(appUrl).catch(() => null) };
}

/**
 * Reports an invalid setting once, before anything is changed, and before processes that refuse it are started again
 * and again. Throws Fault.
 */
async function checkSettings(): Promise<void> {
  try {
    await import("@/lib/env");
  } catch (error) {
    throw new Fault(error instanceof Error ? error.message : String(error));
  }
}

endAtSignals();
await runCommand(async () => {
  if (!process.send) {
    const { applied, invitation } = await prepare();
    console.log(
      applied.length > 0 ? `The database is prepared (${applied.join(", ")}).` : "The database is up to date.",
    );
    if (invitation) console.log(invitation);
    return;
  }
  const result = await prepare().catch((error: unknown) => ({
    isFault: error instanceof Fault,
    error: messageOf(error),
  }));
  await new Promise((sent) => process.send?.(result, sent));
});
