import { existsSync } from "node:fs";
import { join } from "node:path";

import { recordSecrets } from "@/scripts/postgres/app-secret";
import { withClient } from "@/scripts/postgres/databases";
import { explained } from "@/scripts/postgres/explain-failure";
import { assertUsersAreOurs } from "@/scripts/postgres/former-users";
import { makeDataFolder } from "@/scripts/service/data-folder";
import type { Database } from "@/scripts/service/database";
import { Fault } from "@/scripts/service/fault";
import { findOrOpenDatabase, openUnder } from "@/scripts/service/find-database";
import { tryLock } from "@/scripts/service/lock";
import {
  addAppSecret,
  dropPreviousSecrets,
  readAppSecrets,
  readSettings,
  secretsOf,
  type ServiceSettings,
} from "@/scripts/service/settings";

const COMMAND = "npm run rotate-secret";
const FORGET = "--forget";
const USAGE = `Usage: ${COMMAND} [-- ${FORGET}]
Encrypts all encrypted values in the database with a new secret, so that the old secret can be deleted.

If the secret is in the data folder (.data, or DATA_DIR), stop the service first. This command creates a new secret and
deletes the old one, unless some values cannot be decrypted.

If APP_SECRET is set, set it to the new secret and APP_SECRET_PREVIOUS to the old one for every process first. The
service may run meanwhile.

If the secret that values were encrypted with is lost, stop every process on every machine, then run this with
${FORGET}. What no given secret decrypts stays unreadable. The password of the database user of web and worker changes,
unless DATABASE_RUNTIME_URL names that user: a process that still runs could not connect any more.
- Secret in the data folder: a new one is created, and all others there are deleted. This cannot be undone, so keep a
  copy of the file app-secret if one of them may be needed.
- APP_SECRET set: from then on, the database belongs to services with this secret. No secret is deleted.`;

const REPLACE = "connect the Salesforce org again, or create a new secret for the webhook.";

const REMEDIES =
  `Add the secret that they were encrypted with to APP_SECRET_PREVIOUS. Or replace them: ${REPLACE} Answers stored ` +
  "for repeated requests expire within a day.";

/**
 * Encrypts everything stored with another APP_SECRET. docs/security.md lists what else depends on it. Throws Fault for
 * what a person can mend.
 */
export async function rotateSecret(argument: string | undefined): Promise<void> {
  if (argument === "--help" || argument === "-h") return console.log(USAGE);
  if (argument !== undefined && argument !== FORGET) throw new Fault(`Unknown argument: "${argument}".\n${USAGE}`);
  const settings = readSettings();
  assertIsThere(settings);
  if (settings.databaseUrl !== undefined && settings.databaseRuntimeUrl === undefined)
    await explained(settings.databaseUrl, assertUsersAreOurs(settings.databaseUrl));
  await makeDataFolder(settings.dataDir);
  const isForced = argument === FORGET;
  if (process.env.APP_SECRET) await rotateConfigured({ ...settings, forgetsSecrets: isForced });
  else await rotateStored({ ...settings, forgetsSecrets: isForced });
}

/** Throws Fault where a new database or a new secret would be made, of which no web process and no worker knows. */
function assertIsThere({ databaseUrl, dataDir }: ServiceSettings): void {
  if (databaseUrl === undefined && !existsSync(join(dataDir, "postgres")))
    throw new Fault(`There is no database in ${dataDir} (DATA_DIR), and DATABASE_URL is not set.`);
  if (databaseUrl !== undefined && !process.env.APP_SECRET && !existsSync(join(dataDir, "app-secret")))
    throw new Fault(
      `APP_SECRET is not set, and ${dataDir} (DATA_DIR) has no file app-secret. Set APP_SECRET to that of web and ` +
        "worker. If `npm start` kept it in that file, and it is lost, run `npm start` once, which makes another one.",
    );
}

interface RotationSettings extends ServiceSettings {
  forgetsSecrets: boolean;
}

/** The operator sets the secrets. This re-encrypts the stored values only. */
async function rotateConfigured(settings: RotationSettings): Promise<void> {
  if (!process.env.APP_SECRET_PREVIOUS && !settings.forgetsSecrets) {
    throw new Fault(
      "Set APP_SECRET to a new secret and APP_SECRET_PREVIOUS to the old one, for every process of the service. Then " +
        "run this again.",
    );
  }
  const hasPrevious = Boolean(process.env.APP_SECRET_PREVIOUS);
  const unreadable = await reencryptDatabase(settings, await findOrOpenDatabase(settings, COMMAND));
  if (settings.forgetsSecrets) return console.log(`${leftUnread(unreadable)}${goOn(unreadable, hasPrevious)}`);
  if (unreadable > 0)
    throw new Fault(`${countUnreadable(unreadable)}Keep APP_SECRET_PREVIOUS until there are none. ${REMEDIES}`);
  console.log(
    "No stored value needs APP_SECRET_PREVIOUS any more, provided that every process already ran with the new " +
      "APP_SECRET. Otherwise, run this again when they all do.\n" +
      "Then remove APP_SECRET_PREVIOUS and restart all processes. Everyone who signed in before the rotation has to " +
      "sign in again.",
  );
}

/** After a forced rotation, for which every process was stopped. */
function goOn(unreadable: number, hasPrevious: boolean): string {
  const which = unreadable > 0 ? "other stored value" : "stored value";
  const previous = hasPrevious ? `No ${which} needs APP_SECRET_PREVIOUS any more: remove it. ` : "";
  return `${previous}Start every process with this APP_SECRET. Everyone must sign in again.`;
}

/** The service must be stopped: a running one knows only the secrets that it was started with. */
async function rotateStored(settings: RotationSettings): Promise<void> {
  const isForced = settings.forgetsSecrets;
  const lock = await tryLock(settings.dataDir, COMMAND);
  if (!("release" in lock))
    throw new Fault(
      `${lock.command} (process ${lock.pid}) is running on ${settings.dataDir}. Stop it first, then run this again.`,
    );
  const database = await openUnder(lock, settings);
  // If this is interrupted, the file contains both secrets: the service works with both, and another run completes the
  // rotation.
  await addAppSecret(settings.dataDir);
  const unreadable = await reencryptDatabase(settings, database, (count) =>
    count > 0 && !isForced ? Promise.resolve() : dropPreviousSecrets(settings.dataDir),
  );
  if (unreadable > 0 && !isForced)
    throw new Fault(
      `${countUnreadable(unreadable)}So the old secret stays in the data folder beside the new one, and the service ` +
        `uses both. ${REMEDIES}\n` +
        `Then run this again. \`${COMMAND} -- ${FORGET}\` deletes the old secret in any case.`,
    );
  console.log(
    `${leftUnread(unreadable)}The service has a new secret, and the old one is deleted. Start the service. Everyone ` +
      "must sign in again.",
  );
}

function countUnreadable(count: number): string {
  return `${count} of these values cannot be decrypted with any configured secret. `;
}

/** Nothing for none. Whoever forces a rotation has no secret that could be added. */
function leftUnread(count: number): string {
  return count > 0 ? `${countUnreadable(count)}They stay as they are. To replace them, ${REPLACE}\n` : "";
}

/**
 * Returns the number of values that none of the configured secrets can decrypt. `beforeRelease` is called with it while
 * the data folder is still locked.
 */
async function reencryptDatabase(
  settings: ServiceSettings,
  database: Database,
  beforeRelease?: (unreadable: number) => Promise<void>,
): Promise<number> {
  let total = 0;
  try {
    const secrets = await readAppSecrets(settings.dataDir);
    Object.assign(process.env, { DATABASE_URL: database.url, ...secrets });
    // The next preparation may have the new one alone.
    await withClient(database.ownerUrl, (owner) => recordSecrets(owner, { secrets: secretsOf(secrets) }));
    // Imported late: these modules read settings that exist only from here on.
    const { closeDatabase } = await import("@/lib/database/db");
    const { reencrypt } = await import("@/lib/security/reencrypt");
    for (const { name, done, undecryptable } of await reencrypt()) {
      const unreadable = undecryptable > 0 ? `, ${undecryptable} cannot be decrypted with any configured secret` : "";
      console.log(`  ${name}: ${done} re-encrypted${unreadable}`);
      total += undecryptable;
    }
    await closeDatabase();
    await beforeRelease?.(total);
    return total;
  } finally {
    await database.stop();
  }
}
