import { existsSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** `.data/demo.json`: how to sign in to the demo organization and its sandbox org. */
export interface DemoFile {
  base_url: string;
  admin: { email: string; password: string };
  oauth_client: { client_id: string; client_secret: string; redirect_uri: string };
  /** The address of the sandbox org. Null if none is running. */
  sandbox_org: { ext_instance_url: string; ext_access_token: string } | null;
}

export async function readDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  const file = join(dataDir, "demo.json");
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as DemoFile) : undefined;
}

/** Writes the file so that only this user can read it: it contains a password and a secret. */
export async function writeDemoFile(dataDir: string, content: DemoFile): Promise<void> {
  const file = join(dataDir, "demo.json");
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}
