import { readDemoFile } from "@/scripts/demo/demo-file";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import { makeDataFolder } from "@/scripts/service/data-folder";
import { Fault, runCommand } from "@/scripts/service/fault";
import { findOrOpenDatabase } from "@/scripts/service/find-database";
import { readAppSecrets, readSettings } from "@/scripts/service/settings";

const USAGE = `Usage: npm run seed:demo
Creates the demo organization in the service's database, and writes how to sign in to demo.json in the data folder
(.data, or DATA_DIR). The service may be running or not. If demo.json exists already, its organization is used again.
Move the file away to create another organization.`;

/**
 * `npm run seed:demo`: creates the demo organization, its admin and its OAuth client in the running or configured
 * database, and writes `.data/demo.json`.
 */
await runCommand(async () => {
  const [argument] = process.argv.slice(2);
  if (argument === "--help" || argument === "-h") return console.log(USAGE);
  if (argument !== undefined) throw new Fault(`Unknown argument: "${argument}".\n${USAGE}`);
  const settings = readSettings();
  const { dataDir, appUrl } = settings;
  await makeDataFolder(dataDir);
  const database = await findOrOpenDatabase(settings, "npm run seed:demo");
  try {
    Object.assign(process.env, { DATABASE_URL: database.url, APP_URL: appUrl, ...(await readAppSecrets(dataDir)) });
    const earlier = await readDemoFile(dataDir);
    const demo = await seedOrganization(dataDir, appUrl, earlier?.sandbox_org ?? null);
    const { closeDatabase } = await import("@/lib/database/db");
    await closeDatabase();
    console.log(
      `The demo organization is ready. Sign in at ${demo.base_url} as ${demo.admin.email}. ` +
        `The password and the OAuth client are in ${dataDir}/demo.json.`,
    );
  } finally {
    await database.stop();
  }
});
