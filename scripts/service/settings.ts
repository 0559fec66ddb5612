import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";

import { Fault } from "@/scripts/service/fault";

/** What the person set, with the defaults for one machine. */
export interface ServiceSettings {
  port: number;
  /** The address to listen on; undefined means all of the machine's. */
  host: string | undefined;
  appUrl: string;
  dataDir: string;
  /** Undefined means the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** The same database with the user of web and worker; undefined means that one is made. */
  databaseRuntimeUrl: string | undefined;
}

const ROOT = join(import.meta.dirname, "../..");

/** Reads the settings that starting depends on. Throws a sentence when one cannot be used. */
export function readSettings(): ServiceSettings {
  const port = readPort(process.env.PORT || "3000");
  return {
    port,
    host: process.env.LISTEN_HOST || undefined,
    appUrl: process.env.APP_URL || `http://localhost:${port}`,
    dataDir: resolve(ROOT, process.env.DATA_DIR || ".data"),
    databaseUrl: readDatabaseUrl("DATABASE_URL"),
    databaseRuntimeUrl: readDatabaseUrl("DATABASE_RUNTIME_URL"),
  };
}

function readPort(value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Fault(
    `PORT is "${value}", which is no port. Set it to a number from 1 to 65535, or leave it out for 3000.`,
  );
}

/** The value itself is never repeated: it holds a password. */
function readDatabaseUrl(name: "DATABASE_URL" | "DATABASE_RUNTIME_URL"): string | undefined {
  const value = process.env[name];
  if (!value) return undefined;
  const protocol = URL.canParse(value) ? new URL(value).protocol : "";
  if ((protocol === "postgresql:" || protocol === "postgres:") && isDecodable(value)) return value;
  throw new Fault(
    `${name} is not the address of a PostgreSQL database. Write it as postgresql://user:password@host:5432/database, ` +
      "with special characters of the password percent-encoded (@ as %40), or leave it out for the embedded PostgreSQL.",
  );
}

function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== "";
  } catch {
    return false;
  }
}

/** What the processes of the service are given. */
interface AppSecrets {
  APP_SECRET: string;
  /** With commas between; empty for none. */
  APP_SECRET_PREVIOUS: string;
}

/**
 * APP_SECRET, or a secret that is made once and kept in the data folder, which the caller has locked: the present one
 * on the first line of its file, and those before it, while a rotation is under way, on lines of their own.
 */
export async function readAppSecrets(dataDir: string): Promise<AppSecrets> {
  const { APP_SECRET, APP_SECRET_PREVIOUS = "" } = process.env;
  if (APP_SECRET) return { APP_SECRET, APP_SECRET_PREVIOUS };
  const file = join(dataDir, FILE);
  if (!existsSync(file)) await keepSecrets(dataDir, [newSecret()]);
  const [present = "", ...previous] = (await readFile(file, "utf8")).split("\n").filter(Boolean);
  return { APP_SECRET: present, APP_SECRET_PREVIOUS: [...previous, APP_SECRET_PREVIOUS].filter(Boolean).join(",") };
}

const FILE = "app-secret";

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Puts a new secret before the one in the data folder, which the caller has locked and in which nothing runs. */
export async function addAppSecret(dataDir: string): Promise<AppSecrets> {
  const { APP_SECRET, APP_SECRET_PREVIOUS } = await readAppSecrets(dataDir);
  await keepSecrets(dataDir, [newSecret(), APP_SECRET, ...APP_SECRET_PREVIOUS.split(",")]);
  return readAppSecrets(dataDir);
}

/** Forgets all secrets in the data folder but the present one. */
export async function dropPreviousSecrets(dataDir: string): Promise<void> {
  const { APP_SECRET } = await readAppSecrets(dataDir);
  await keepSecrets(dataDir, [APP_SECRET]);
}

/** The file is whole at any moment, and on the disk before anything is encrypted under what it holds. */
async function keepSecrets(dataDir: string, secrets: readonly string[]): Promise<void> {
  const written = join(dataDir, `${FILE}.new`);
  const handle = await open(written, "w", 0o600);
  await handle.chmod(0o600);
  await handle.writeFile(
    secrets
      .filter(Boolean)
      .map((secret) => `${secret}\n`)
      .join(""),
  );
  await handle.sync();
  await handle.close();
  await rename(written, join(dataDir, FILE));
  const folder = await open(dataDir, "r");
  await folder.sync();
  await folder.close();
}
