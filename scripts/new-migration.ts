import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { diffMigrationsToSchema, MIGRATIONS } from "@/scripts/postgres/schema-engine";
import { Fault, runCommand } from "@/scripts/service/fault";

const LIST = join(import.meta.dirname, "../lib/database/release-migrations.ts");

/** `npm run migration:new -- <name>` writes the migration from `prisma/migrations` to `prisma/schema.prisma`. */
await runCommand(async () => {
  const name = process.argv[2] ?? "";
  if (!/^[a-z0-9_]+$/.test(name)) throw new Fault("Usage: npm run migration:new -- <name_in_snake_case>");
  const folder = await mkdtemp(join(tmpdir(), "crm-migration-"));
  // When root starts PostgreSQL, it runs as another user.
  await chmod(folder, 0o755);
  const cluster = await startCluster(join(folder, "postgres"));
  try {
    await ensureDatabase(cluster.url("postgres"), "shadow");
    console.log(await write(cluster.url("shadow"), name));
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

async function write(url: string, name: string): Promise<string> {
  const script = await diffMigrationsToSchema(url);
  if (!script) return "Schema and migrations agree: there is nothing to write.";
  const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const folder = join(MIGRATIONS, `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "migration.sql"), script);
  await listMigrations();
  return `Wrote ${folder}/migration.sql. Read it before you commit it.`;
}

/** Writes the names of all migrations into the module by which a built service knows them. */
async function listMigrations(): Promise<void> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
  const lines = names.map((name) => `  "${name}",\n`).join("");
  await writeFile(LIST, (await readFile(LIST, "utf8")).replace(/= \[[^\]]*\]/, `= [\n${lines}]`));
}
