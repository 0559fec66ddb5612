import { readDemoFile } from "@/scripts/demo/demo-file";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import { makeDataFolder } from "@/scripts/service/data-folder";
import { attachDatabase, type Database, openDatabase } from "@/scripts/service/database";
import { Fault, runCommand } from "@/scripts/service/fault";
import { type Lock, tryLock } from "@/scripts/service/lock";
import { readAppSecret, readSettings, type ServiceSettings } from "@/scripts/service/settings";

const USAGE = `Usage: npm run seed:demo
Makes the demo organization in the database of the service, running or not, and writes its sign-in to demo.json in the data folder (.data, or
DATA_DIR). What stands in that file is used again; move it away to get another organization.`;

/** `npm run seed:demo`: the demo organization, its admin and OAuth client in the running or configured database, and `.data/demo.json`. */
await runCommand(async () => {
  const [argument] = process.argv.slice(2);
  if (argument === "--help" || argument === "-h") return console.log(USAGE);
  if (argument !== undefined) throw new Fault(`"${argument}" is not known here.\n${USAGE}`);
  const settings = readSettings();
  const { dataDir, appUrl } = settings;
  await makeDataFolder(dataDir);
  const database = await findOrOpenDatabase(settings);
  try {
    Object.assign(process.env, { DATABASE_URL: database.url, APP_SECRET: await readAppSecret(dataDir), APP_URL: appUrl });
    const earlier = await readDemoFile(dataDir);
    const demo = await seedOrganization(dataDir, appUrl, earlier?.sandbox_org ?? null);
    const { closeDatabase } = await import("@/lib/db");
    await closeDatabase();
    console.log(
      `The demo organization is there: sign in at ${demo.base_url} as ${demo.admin.email}. Password and OAuth client are in ${dataDir}/demo.json.`,
    );
  } finally {
    await database.stop();
  }
});

/** The database of the service that is running on the data folder, which is left running; or else one of our own, with the folder locked. */
async function findOrOpenDatabase(settings: ServiceSettings): Promise<Database> {
  const lock = await tryLock(settings.dataDir, "npm run seed:demo");
  if ("release" in lock) return openUnder(lock, settings);
  const database = await attachDatabase(settings);
  if (database) return database;
  throw new Fault(
    `${lock.command} (process ${lock.pid}) is starting or stopping on ${settings.dataDir}. Try again when the service runs, or has ended.`,
  );
}

async function openUnder(lock: Lock, settings: ServiceSettings): Promise<Database> {
  await using held = new AsyncDisposableStack();
  held.defer(() => lock.release());
  const database = await openDatabase(settings, (line) => console.error(line));
  held.defer(() => database.stop());
  const kept = held.move();
  return { url: database.url, stop: () => kept.disposeAsync() };
}
