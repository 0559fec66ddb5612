import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { attachments, noAttachments } from "@/lib/settings/organization/export/attachments";
import { dataFile, type FileSummary } from "@/lib/settings/organization/export/data-file";
import { EXPORTED_TABLES, LEFT_OUT_TABLES, LEFT_OUT_VALUES } from "@/lib/settings/organization/export/exported-tables";
import type { ExportFormat } from "@/lib/settings/organization/organization-schema";
import type { ZipEntry } from "@/lib/zip-archive";

/** Raised with each change of what the files are called or what their columns mean. */
const SCHEMA_VERSION = 1;

interface Exporting {
  organizationId: string;
  userId: string;
  format: ExportFormat;
}

/**
 * Everything of an organization as files of an archive: one per table, the contents of files, and at the end the
 * manifest, without which an export is not complete. Breaks off when the person is no admin any more.
 */
export async function* archiveEntries(exporting: Exporting): AsyncGenerator<ZipEntry> {
  const { organizationId, format } = exporting;
  const began_at = new Date().toISOString();
  const files: FileSummary[] = [];
  for (const table of EXPORTED_TABLES) {
    await assertStillAdmin(exporting);
    const name = `${table.file ?? table.name}.${format}`;
    yield { name, content: dataFile(organizationId, { table, name, format }, (summary) => files.push(summary)) };
  }
  const contents = noAttachments();
  yield* attachments(organizationId, contents);
  await assertStillAdmin(exporting);
  const manifest = {
    schema_version: SCHEMA_VERSION,
    organization: await readOrganization(organizationId),
    exported_by: exporting.userId,
    format,
    began_at,
    ended_at: new Date().toISOString(),
    files,
    contents,
    left_out: leftOut(),
  };
  yield { name: "manifest.json", content: textOf(`${JSON.stringify(manifest, null, 2)}\n`) };
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function leftOut(): { what: string; reason: string }[] {
  const tables = Object.entries(LEFT_OUT_TABLES).map(([table, reason]) => ({ what: `table ${table}`, reason }));
  return [...Object.entries(LEFT_OUT_VALUES).map(([what, reason]) => ({ what, reason })), ...tables];
}

const ADMIN = `
  SELECT FROM memberships
  WHERE organization_id = $1 AND user_id = $2 AND role = 'admin' AND disabled_at IS NULL`;

/** An organization that was deleted meanwhile has no members: its export must not look complete. */
async function assertStillAdmin({ organizationId, userId }: Exporting): Promise<void> {
  const { rowCount } = await inOrganization(organizationId, () => pool().query(ADMIN, [organizationId, userId]));
  if (rowCount === 0) throw new AppError("forbidden", "Who exports is no admin of the organization any more.");
}

const ORGANIZATION = "SELECT id, name, currency, time_zone, created_at FROM organizations WHERE id = $1";

async function readOrganization(organizationId: string): Promise<unknown> {
  const { rows } = await inOrganization(organizationId, () => pool().query(ORGANIZATION, [organizationId]));
  return rows[0];
}
