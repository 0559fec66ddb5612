import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { __wbg_set_wasm, SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import { Pool } from "pg";

import { CatalogPg } from "@/scripts/postgres/catalog-adapter";
import { ROOT } from "@/scripts/service/root";

/**
 * Prisma's own schema engine as WebAssembly. The stock CLI downloads it as a binary, which closed networks block. This
 * one is an npm package. It reads and writes the same `prisma/migrations` and `_prisma_migrations` as the CLI.
 */

const SCHEMA = join(ROOT, "prisma/schema.prisma");
export const MIGRATIONS = join(ROOT, "prisma/migrations");
const NO_FILTERS = { externalTables: [], externalEnums: [] };

let loaded: Promise<void> | undefined;

function loadWasm(): Promise<void> {
  loaded ??= (async () => {
    // The engine passes the message of a panic to this before it throws.
    Object.assign(globalThis, {
      PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => console.error(message) },
    });
    const require = createRequire(import.meta.url);
    const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
    const file = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/\.js$/, ".wasm");
    const { instance } = await WebAssembly.instantiate(readFileSync(file), {
      "./schema_engine_bg.js": withoutLingeringTimers(bindings),
    });
    __wbg_set_wasm(instance.exports);
    (instance.exports.__wbindgen_start as () => void)();
  })();
  return loaded;
}

/**
 * The engine leaves a ten-second timer behind (that of its advisory lock), which would delay the end of the process.
 */
function withoutLingeringTimers(bindings: object): WebAssembly.ModuleImports {
  const entries = Object.entries(bindings).map(([name, value]) => [
    name,
    name.startsWith("__wbg_setTimeout") ? startUnrefTimer : value,
  ]);
  return Object.fromEntries(entries) as WebAssembly.ModuleImports;
}

function startUnrefTimer(callback: () => void, milliseconds: number): NodeJS.Timeout {
  return setTimeout(callback, milliseconds).unref();
}

async function withEngine<T>(databaseUrl: string, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  await loadWasm();
  // A separate pool: the engine leaves its connections open, and a template database cannot be cloned while it has any.
  const pool = new Pool({ connectionString: databaseUrl });
  const catalog = new CatalogPg(pool);
  const adapter = bindMigrationAwareSqlAdapterFactory(catalog);
  const engine = await SchemaEngine.new(
    { datamodels: [[SCHEMA, await readFile(SCHEMA, "utf8")]] },
    () => undefined,
    adapter,
  );
  try {
    return await work(engine);
  } catch (error) {
    throw catalog.fault ?? withoutTrace(error);
  } finally {
    engine.free();
    await pool.end();
  }
}

/** Below its message the engine prints where in its own source an error came about. */
function withoutTrace(error: unknown): unknown {
  if (error instanceof Error) error.message = error.message.replace(/\n\s+0: [^]*/, "");
  return error;
}

async function readMigrations() {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories = await Promise.all(
    folders.toSorted().map(async (path) => ({
      path,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok" as const, value: await readFile(join(MIGRATIONS, path, "migration.sql"), "utf8") },
      },
    })),
  );
  const content = await readFile(join(MIGRATIONS, "migration_lock.toml"), "utf8");
  return {
    baseDir: MIGRATIONS,
    lockfile: { path: "migration_lock.toml", content },
    shadowDbInitScript: "",
    migrationDirectories,
  };
}

async function datamodel() {
  return {
    tag: "schemaDatamodel" as const,
    files: [{ path: SCHEMA, content: await readFile(SCHEMA, "utf8") }],
    configDir: ROOT,
  };
}

/** Applies the missing migrations in order. Returns their names. */
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  const migrationsList = await readMigrations();
  return withEngine(databaseUrl, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
    return appliedMigrationNames;
  });
}

/**
 * The SQL that turns a database of `prisma/migrations` into one of `prisma/schema.prisma`. Empty if they agree. Needs
 * an empty database.
 */
export async function diffMigrationsToSchema(emptyDatabaseUrl: string): Promise<string> {
  const from = { tag: "migrations" as const, ...(await readMigrations()) };
  const to = await datamodel();
  return withEngine(emptyDatabaseUrl, async (engine) => {
    const { stdout } = await engine.diff({ from, to, script: true, exitCode: null, filters: NO_FILTERS });
    return isEmptyScript(stdout ?? "") ? "" : (stdout ?? "");
  });
}

function isEmptyScript(script: string): boolean {
  return script.split("\n").every((line) => line.trim() === "" || line.startsWith("--"));
}
