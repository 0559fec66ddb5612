import { readDemoFile } from "@/scripts/demo/demo-file";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import { openDatabase } from "@/scripts/service/database";
import { runCommand } from "@/scripts/service/fault";
import { resolveSettings } from "@/scripts/service/settings";

/** `npm run seed:demo`: the demo organization, its admin and OAuth client in the running or configured database, and `.data/demo.json`. */
await runCommand(async () => {
  const settings = await resolveSettings();
  const database = await openDatabase(settings.dataDir, (line) => console.error(line));
  try {
    Object.assign(process.env, { DATABASE_URL: database.url, APP_SECRET: settings.appSecret, APP_URL: settings.appUrl });
    const earlier = await readDemoFile(settings.dataDir);
    const demo = await seedOrganization(settings.dataDir, settings.appUrl, earlier?.sandbox_org ?? null);
    const { closeDatabase } = await import("@/lib/db");
    await closeDatabase();
    console.log(
      `The demo organization is there: sign in at ${demo.base_url} as ${demo.admin.email}. Password and OAuth client are in ${settings.dataDir}/demo.json.`,
    );
  } finally {
    await database.stop();
  }
});
