import { makeDataFolder } from "@/scripts/service/data-folder";
import type { Database } from "@/scripts/service/database";
import { Fault, runCommand } from "@/scripts/service/fault";
import { findOrOpenDatabase, openUnder } from "@/scripts/service/find-database";
import { tryLock } from "@/scripts/service/lock";
import {
  addAppSecret,
  dropPreviousSecrets,
  readAppSecrets,
  readSettings,
  type ServiceSettings,
} from "@/scripts/service/settings";

const COMMAND = "npm run rotate-secret";
const FORGET = "--forget";
const USAGE = `Usage: ${COMMAND}
Encrypts everything that the database keeps encrypted under the present secret, so that the one before can go.
Where the secret is kept in the data folder (.data, or DATA_DIR), with the service stopped: makes a new one, and forgets the old one at the end, unless something cannot be read;
with ${FORGET} also then.
Where APP_SECRET is set, beside the running service or not: set it to the new secret and APP_SECRET_PREVIOUS to the old one, in every process, before.`;

const WAYS_OUT =
  "Add the secret that they were encrypted under to APP_SECRET_PREVIOUS, or do without them: connect the org " +
  "again, make a new secret for the webhook; " +
  "answers to repeated requests go by themselves within a day.";

/**
 * `npm run rotate-secret`: another APP_SECRET for everything that is stored. What else hangs on it stands in
 * docs/security.md.
 */
await runCommand(async () => {
  const [argument] = process.argv.slice(2);
  if (argument === "--help" || argument === "-h") return console.log(USAGE);
  if (argument !== undefined && argument !== FORGET) throw new Fault(`"${argument}" is not known here.\n${USAGE}`);
  const settings = readSettings();
  await makeDataFolder(settings.dataDir);
  if (process.env.APP_SECRET) await rotateGiven(settings);
  else await rotateKept(settings, argument === FORGET);
});

/** The secrets are the operator's: only what is stored is ours to change. */
async function rotateGiven(settings: ServiceSettings): Promise<void> {
  if (!process.env.APP_SECRET_PREVIOUS) {
    throw new Fault(
      "Set APP_SECRET to a new secret and APP_SECRET_PREVIOUS to the one before, for every process of the service; " +
        "then run this again.",
    );
  }
  const lost = await reencryptIn(settings, await findOrOpenDatabase(settings, COMMAND));
  if (lost > 0) throw new Fault(`${unread(lost)}Keep APP_SECRET_PREVIOUS until nothing is left. ${WAYS_OUT}`);
  console.log(
    "Nothing that is stored needs APP_SECRET_PREVIOUS any more, if every process ran with the new APP_SECRET by " +
      "now; else run this again when they do.\n" +
      "Then take APP_SECRET_PREVIOUS away and start them again. Whoever signed in before the rotation has to sign " +
      "in again then.",
  );
}

/** A service that runs knows only the secret that it was started with, and could read nothing any more. */
async function rotateKept(settings: ServiceSettings, isForced: boolean): Promise<void> {
  const lock = await tryLock(settings.dataDir, COMMAND);
  if (!("release" in lock))
    throw new Fault(
      `${lock.command} (process ${lock.pid}) is running on ${settings.dataDir}. Stop it first, then run this again.`,
    );
  const database = await openUnder(lock, settings);
  // What breaks off in between leaves both secrets in the file; the service runs with both, and running this again ends
  // it.
  await addAppSecret(settings.dataDir);
  const lost = await reencryptIn(settings, database, (unreadable) =>
    unreadable > 0 && !isForced ? Promise.resolve() : dropPreviousSecrets(settings.dataDir),
  );
  if (lost > 0 && !isForced)
    throw new Fault(
      `${unread(lost)}So the secret before stays in the data folder, behind the new one, and the service reads ` +
        `under both. ${WAYS_OUT}\n` +
        `Then run this again; \`${COMMAND} -- ${FORGET}\` forgets the secrets before whatever cannot be read.`,
    );
  console.log(
    "The service has a new secret, and the one before is forgotten. Start it again; everybody has to sign in again.",
  );
}

function unread(count: number): string {
  return `${count} of the values above cannot be read with any secret that is set. `;
}

/**
 * Gives how many values are left that no secret that is set can decrypt. `atTheEnd` is told too, while nothing else can
 * use the data folder.
 */
async function reencryptIn(
  settings: ServiceSettings,
  database: Database,
  atTheEnd?: (unreadable: number) => Promise<void>,
): Promise<number> {
  let total = 0;
  try {
    Object.assign(process.env, { DATABASE_URL: database.url, ...(await readAppSecrets(settings.dataDir)) });
    // Imported late: the settings that these read are there only now.
    const { closeDatabase } = await import("@/lib/database/db");
    const { reencrypt } = await import("@/lib/security/reencrypt");
    for (const { name, done, undecryptable } of await reencrypt()) {
      const lost = undecryptable > 0 ? `, ${undecryptable} cannot be read with any secret that is set` : "";
      console.log(`  ${name}: ${done} encrypted anew${lost}`);
      total += undecryptable;
    }
    await closeDatabase();
    await atTheEnd?.(total);
    return total;
  } finally {
    await database.stop();
  }
}
