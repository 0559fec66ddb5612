import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { databaseUrlFault, previousSecrets, secretFault } from "@/lib/env-rules";
import { Fault } from "@/scripts/service/fault";
import {
  assertMetricsPorts,
  numberOfDigits,
  type ProcessCounts,
  readProcessCounts,
} from "@/scripts/service/supervisor/process-counts";
import { ROOT } from "@/scripts/service/root";
import { writeSecretFile } from "@/scripts/service/secret-file";

/** The operator's settings, with defaults for one machine. */
export interface ServiceSettings {
  port: number;
  /** The address to listen on. Undefined: all addresses of the machine. */
  host: string | undefined;
  appUrl: string;
  dataDir: string;
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** The same database with the user of web and worker. Undefined: such a user is created. */
  databaseRuntimeUrl: string | undefined;
  processes: ProcessCounts;
}

/** Reads the settings that the start depends on. Throws Fault if one is invalid. */
export function readSettings(): ServiceSettings {
  const port = readPort(process.env.PORT || "3000");
  const processes = readProcessCounts();
  assertMetricsPorts(processes, port);
  return {
    port,
    host: process.env.LISTEN_HOST || undefined,
    appUrl: process.env.APP_URL || `http://localhost:${port}`,
    dataDir: resolve(ROOT, process.env.DATA_DIR || ".data"),
    databaseUrl: readDatabaseUrl("DATABASE_URL"),
    databaseRuntimeUrl: readDatabaseUrl("DATABASE_RUNTIME_URL"),
    processes,
  };
}

function readPort(value: string): number {
  const port = numberOfDigits(value);
  if (port > 0 && port < 65_536) return port;
  throw new Fault(
    `PORT is "${value}", which is not a port. Set it to a number from 1 to 65535, or leave it out for 3000.`,
  );
}

const LEFT_OUT = " Without it, `npm start` uses the embedded PostgreSQL.";

function readDatabaseUrl(name: "DATABASE_URL" | "DATABASE_RUNTIME_URL"): string | undefined {
  const value = process.env[name];
  const fault = value && databaseUrlFault(value);
  if (fault) throw new Fault(`${name} ${fault}${name === "DATABASE_URL" ? LEFT_OUT : ""}`);
  return value || undefined;
}

/** Settings of the service's processes. */
interface AppSecrets {
  APP_SECRET: string;
  /** Separated by commas; empty for none. */
  APP_SECRET_PREVIOUS: string;
}

/**
 * APP_SECRET, or a secret that is created once and stored in the data folder, which the caller has locked. The file has
 * the current secret on its first line and, during a rotation, the previous ones on the next lines. Throws Fault if one
 * is invalid: web and worker would refuse it, but only after the database had been prepared for it.
 */
export async function readAppSecrets(dataDir: string): Promise<AppSecrets> {
  const { APP_SECRET, APP_SECRET_PREVIOUS = "" } = process.env;
  for (const secret of previousSecrets(APP_SECRET_PREVIOUS))
    assertSecret("A secret of APP_SECRET_PREVIOUS", secret, "Set it to the former APP_SECRET, or leave it out.");
  if (APP_SECRET) {
    assertSecret("APP_SECRET", APP_SECRET, "Set it to a random one, such as `openssl rand -hex 32` prints.");
    return { APP_SECRET, APP_SECRET_PREVIOUS };
  }
  const file = join(dataDir, FILE);
  if (!existsSync(file)) await writeSecrets(dataDir, [newSecret()]);
  const [present = "", ...previous] = (await readFile(file, "utf8")).split("\n").filter(Boolean);
  for (const secret of [present, ...previous]) assertSecret(`A secret in ${file}`, secret, LOST);
  return { APP_SECRET: present, APP_SECRET_PREVIOUS: [...previous, APP_SECRET_PREVIOUS].filter(Boolean).join(",") };
}

const LOST =
  "Restore that file from a backup. If there is none, delete it, and run `npm run rotate-secret -- --forget`.";

/** Never prints the secret. */
function assertSecret(name: string, secret: string, remedy: string): void {
  const fault = secretFault(secret);
  if (fault) throw new Fault(`${name} ${fault}. ${remedy}`);
}

/** The present secret, and the previous ones. */
export function secretsOf({ APP_SECRET, APP_SECRET_PREVIOUS }: AppSecrets): [string, ...string[]] {
  return [APP_SECRET, ...previousSecrets(APP_SECRET_PREVIOUS)];
}

const FILE = "app-secret";

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Adds a new current secret to the data folder. The caller has locked the folder, and no service runs on it. */
export async function addAppSecret(dataDir: string): Promise<AppSecrets> {
  const before = await readAppSecrets(dataDir);
  await writeSecrets(dataDir, [newSecret(), ...secretsOf(before)]);
  return readAppSecrets(dataDir);
}

/** Deletes all secrets in the data folder except the current one. */
export async function dropPreviousSecrets(dataDir: string): Promise<void> {
  const { APP_SECRET } = await readAppSecrets(dataDir);
  await writeSecrets(dataDir, [APP_SECRET]);
}

async function writeSecrets(dataDir: string, secrets: readonly string[]): Promise<void> {
  const lines = secrets.filter(Boolean).map((secret) => `${secret}\n`);
  await writeSecretFile(join(dataDir, FILE), lines.join(""));
}
