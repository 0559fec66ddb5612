import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Replaces a file that only this user may read, atomically, and syncs it to disk before anything is made with its
 * secret: after a kill or a loss of power it has all of the old text or all of the new one.
 */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  const written = `${file}.new`;
  const handle = await open(written, "w", 0o600);
  await handle.chmod(0o600);
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
  await rename(written, file);
  const folder = await open(dirname(file), "r");
  await folder.sync();
  await folder.close();
}
