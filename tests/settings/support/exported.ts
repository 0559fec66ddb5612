import type { Context } from "@/lib/context";
import { Download, execute } from "@/lib/operation";
import { exportOrganization } from "@/lib/settings/organization/export/export-organization";
import type { ExportFormat } from "@/lib/settings/organization/organization-schema";
import { readArchive } from "@/tests/support/read-archive";

/** The archive of an export, as its client reads it. */
export async function startExport(context: Context, format: ExportFormat = "ndjson") {
  const result = await execute(exportOrganization, context, { format });
  if (!(result instanceof Download)) throw new Error("An export is a download.");
  return result.body;
}

/** The files of a complete export. */
export async function exported(context: Context, format?: ExportFormat): Promise<Map<string, Buffer>> {
  return readArchive(Buffer.from(await new Response(await startExport(context, format)).arrayBuffer()));
}

/** What this suite reads of a manifest. */
export interface Manifest {
  files: { name: string; rows: number; bytes: number; sha256: string }[];
  contents: { included: number; missing: number; missing_ids: string[]; not_included: number };
  left_out: { what: string; reason: string }[];
}

export function manifestOf(files: Map<string, Buffer>): Manifest {
  return JSON.parse(String(files.get("manifest.json"))) as Manifest;
}

/** The rows of an NDJSON file. */
export function linesOf(files: Map<string, Buffer>, name: string): Record<string, unknown>[] {
  return String(files.get(name))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
