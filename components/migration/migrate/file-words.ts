import { formatBytes, formatCount, formatNumber } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";

export type CopiedFiles = NonNullable<Migration["files"]>;

/** The number of files that have an outcome. */
export function filesDone({ stored, unchanged, skipped, failed }: CopiedFiles): number {
  return stored + unchanged + skipped + failed;
}

/** "120 files copied (4.2 MB), 3 here already, 2 too large, 1 failed". */
export function filesInWords(files: CopiedFiles): string {
  const { stored, unchanged, skipped, failed, bytes } = files;
  if (filesDone(files) === 0) return files.finished ? "No new files found" : "Looking for files";
  return [
    stored > 0 ? `${formatCount(stored, "file")} copied (${formatBytes(bytes)})` : "No file copied",
    unchanged > 0 && `${formatNumber(unchanged)} here already`,
    skipped > 0 && `${formatNumber(skipped)} too large`,
    failed > 0 && `${formatNumber(failed)} failed`,
  ]
    .filter((part) => part !== false)
    .join(", ");
}
