import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { Fault } from "@/scripts/service/fault";

/** What the person set, with the defaults for one machine. */
export interface ServiceSettings {
  port: number;
  appUrl: string;
  dataDir: string;
  /** Undefined means the embedded PostgreSQL. */
  databaseUrl: string | undefined;
}

const ROOT = join(import.meta.dirname, "../..");

/** Reads the settings that starting depends on. Throws a sentence when one cannot be used. */
export function readSettings(): ServiceSettings {
  const port = readPort(process.env.PORT || "3000");
  return {
    port,
    appUrl: process.env.APP_URL || `http://localhost:${port}`,
    dataDir: resolve(ROOT, process.env.DATA_DIR || ".data"),
    databaseUrl: readDatabaseUrl(process.env.DATABASE_URL),
  };
}

function readPort(value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Fault(`PORT is "${value}", which is no port. Set it to a number from 1 to 65535, or leave it out for 3000.`);
}

/** The value itself is never repeated: it holds a password. */
function readDatabaseUrl(value: string | undefined): string | undefined {
  if (!value) return undefined;
  const protocol = URL.canParse(value) ? new URL(value).protocol : "";
  if ((protocol === "postgresql:" || protocol === "postgres:") && isDecodable(value)) return value;
  throw new Fault(
    "DATABASE_URL is not the address of a PostgreSQL database. Write it as postgresql://user:password@host:5432/database, " +
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

/** APP_SECRET, or a secret that is made once and kept in the data folder, which the caller has locked. */
export async function readAppSecret(dataDir: string): Promise<string> {
  if (process.env.APP_SECRET) return process.env.APP_SECRET;
  const file = join(dataDir, "app-secret");
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  const secret = randomBytes(32).toString("base64url");
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return secret;
}
