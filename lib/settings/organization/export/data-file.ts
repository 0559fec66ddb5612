import { createHash } from "node:crypto";

import { cellOf, csvOf } from "@/lib/downloads";
import type { ExportedTable } from "@/lib/settings/organization/export/exported-tables";
import { readerOf, readPages, type TableReader } from "@/lib/settings/organization/export/read-table";
import type { ExportFormat } from "@/lib/settings/organization/organization-schema";

/** What the manifest says of a file, once it has been read. */
export interface FileSummary {
  name: string;
  rows: number;
  bytes: number;
  sha256: string;
}

/** A table's rows as a file, page by page. `onEnd` gets what it turned out to be. */
export async function* dataFile(
  organizationId: string,
  { table, name, format }: { table: ExportedTable; name: string; format: ExportFormat },
  onEnd: (summary: FileSummary) => void,
): AsyncGenerator<Uint8Array> {
  const reader = await readerOf(table);
  const digest = createHash("sha256");
  const sums = { rows: 0, bytes: 0 };
  const counted = (text: string) => {
    const piece = Buffer.from(text);
    digest.update(piece);
    sums.bytes += piece.byteLength;
    return piece;
  };
  if (format === "csv") yield counted(csvOf([reader.columns], true));
  for await (const lines of readPages(organizationId, reader)) {
    sums.rows += lines.length;
    yield counted(format === "csv" ? rowsOf(lines, reader) : lines.map((line) => `${line}\n`).join(""));
  }
  onEnd({ name, ...sums, sha256: digest.digest("hex") });
}

function rowsOf(lines: readonly string[], { columns }: TableReader): string {
  return csvOf(
    lines.map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>;
      return columns.map((name) => cellOf(row[name]));
    }),
  );
}
