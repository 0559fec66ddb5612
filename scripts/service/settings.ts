import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";

import { Fault } from "@/scripts/service/fault";

/** The settings that the service's processes are started with, beside those that the person gave. */
export interface ServiceSettings {
  port: number;
  appUrl: string;
  dataDir: string;
  appSecret: string;
}

const ROOT = join(import.meta.dirname, "../..");

/** Works out what was left unset: the port, the public address, and a secret that is made once and kept in the data folder. */
export async function resolveSettings(): Promise<ServiceSettings> {
  const port = readPort(process.env.PORT || "3000");
  const dataDir = resolve(ROOT, process.env.DATA_DIR || ".data");
  await mkdir(dataDir, { recursive: true });
  return {
    port,
    dataDir,
    appUrl: process.env.APP_URL || `http://localhost:${port}`,
    appSecret: process.env.APP_SECRET || (await keptSecret(dataDir)),
  };
}

function readPort(value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Fault(`PORT is "${value}", which is no port. Set it to a number from 1 to 65535, or leave it out for 3000.`);
}

async function keptSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "app-secret");
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  const secret = randomBytes(32).toString("base64url");
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return secret;
}

/** Throws a sentence when something listens on the port already. */
export async function assertPortFree(port: number): Promise<void> {
  await new Promise<void>((done, fail) => {
    const probe = createServer().once("error", (error: NodeJS.ErrnoException) => fail(portFault(port, error)));
    probe.listen(port, () => probe.close(() => done()));
  });
}

function portFault(port: number, error: NodeJS.ErrnoException): Error {
  if (error.code === "EADDRINUSE") {
    return new Fault(
      `Port ${port} is in use by another program (perhaps this service, started before). Stop that program, or choose another port: PORT=${port + 1} npm start`,
    );
  }
  if (error.code === "EACCES") return new Fault(`Port ${port} may not be used by this user. Choose one above 1023: PORT=3000 npm start`);
  return error;
}
