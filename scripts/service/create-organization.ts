import { AppError } from "@/lib/errors";
import { withClient } from "@/scripts/postgres/databases";
import { explained } from "@/scripts/postgres/explain-failure";
import { makeDataFolder } from "@/scripts/service/data-folder";
import type { Database } from "@/scripts/service/database";
import { Fault } from "@/scripts/service/fault";
import { findOrOpenDatabase } from "@/scripts/service/find-database";
import { readSettings, type ServiceSettings } from "@/scripts/service/settings";

const COMMAND = "npm run create-organization";
const USAGE = `Usage: ${COMMAND} -- <organization> <e-mail> <name>
Creates an organization beside those that there are, and prints a one-time link by which its admin sets a password. The
e-mail address and the name are those of the admin, such as:

  ${COMMAND} -- "Alpine Tools" ada@example.com "Ada Admin"

The link is valid for a day. Until the admin has used it, the same words make another one in its place. The service may
be running or not. Where web runs by itself, run it with the settings of web.`;

/** Creates an organization by the operator's words. Throws Fault for what a person can mend. */
export async function createOrganization(words: readonly string[]): Promise<void> {
  if (words[0] === "--help" || words[0] === "-h") return console.log(USAGE);
  const [name, email, person] = words;
  if (words.length !== 3 || name === undefined || email === undefined || person === undefined) throw new Fault(USAGE);
  const settings = readSettings();
  const database = await findDatabase(settings);
  try {
    Object.assign(process.env, { DATABASE_URL: database.url, APP_URL: settings.appUrl });
    // Imported late: these modules read settings that exist only from here on.
    const { inviteOrganization } = await import("@/lib/sessions/people/organizations");
    const { closeDatabase } = await import("@/lib/database/db");
    const { url, expires_at } = await inviteOrganization({ name, admin: { email, name: person } }).catch(refuse);
    await closeDatabase();
    console.log(
      `The organization ${name} waits for its admin. This link sets the password of ${email}, once, until ` +
        `${expires_at}:\n  ${url}`,
    );
  } finally {
    await database.stop();
  }
}

/** The address with which web connects, and what else has to be ended. */
async function findDatabase(settings: ServiceSettings): Promise<Pick<Database, "url" | "stop">> {
  const { databaseUrl: url } = settings;
  if (url !== undefined && !(await explained(url, ownsTables(url)))) return { url, stop: async () => undefined };
  await makeDataFolder(settings.dataDir);
  return findOrOpenDatabase(settings, COMMAND);
}

/** Whether the user of an address owns the tables, or would, as that of an empty database. Web's does not. */
function ownsTables(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query(
      `SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = 'organizations'
         AND NOT pg_has_role(tableowner, 'USAGE')`,
    );
    return rowCount === 0;
  });
}

function refuse(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new Fault([error.message, ...error.errors.map(({ pointer, detail }) => `  ${pointer}: ${detail}`)].join("\n"));
}
