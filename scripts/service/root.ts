import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of package.json, from the sources as from the compiled programs in `dist`. */
export const ROOT = folderOfPackage(import.meta.dirname);

function folderOfPackage(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : folderOfPackage(dirname(folder));
}
