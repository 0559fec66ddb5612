import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool } from "@/lib/database/db";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { assertAttemptAllowed, type Throttle } from "@/lib/security/throttle";
import { archiveEntries } from "@/lib/settings/organization/export/archive-entries";
import { EXPORT_FORMATS, type ExportFormat } from "@/lib/settings/organization/organization-schema";
import { streamedDownload } from "@/lib/downloads";
import { zipOf } from "@/lib/zip-archive";

const ZIP = "application/zip";

/** Nobody can delete what the audit log keeps of each, not even where the storage is full. */
const PER_ORGANIZATION: Throttle = { name: "export-organization", limit: 20, windowSeconds: 3600 };

/**
 * The archive is made while it is read, and holds no transaction open: each page shows the rows as they were when it
 * was read.
 */
export const exportOrganization = defineOperation({
  name: "export_organization",
  summary:
    "Download everything of the organization as one ZIP archive: a file per kind of data, the contents of files, and " +
    "at the end a manifest with counts and digests. One at a time, 20 in an hour.",
  scopes: [],
  people: "admins",
  downloads: [ZIP],
  exports: "organization",
  input: z.strictObject({
    format: z
      .enum(EXPORT_FORMATS, "`format` must be `ndjson` or `csv`.")
      .default("ndjson")
      .describe("`ndjson`: a row per line, as JSON. In `csv`, formulas begin with an apostrophe."),
  }),
  output: z.string(),
  async run(context, { format }) {
    await assertAttemptAllowed(PER_ORGANIZATION, context.organizationId, "All data was exported too often.");
    const day = new Date().toISOString().slice(0, 10);
    return streamedDownload({ fileName: `all-data-${day}-${format}.zip`, contentType: ZIP }, archive(context, format));
  },
});

/** The audit log has an export from its first byte on, so that one which is broken off is seen as well. */
async function* archive(
  { organizationId, userId, address }: Context,
  format: ExportFormat,
): AsyncGenerator<Uint8Array> {
  const action = "organization.exported";
  await recordAudit(pool(), { organizationId, userId, address }, action, { details: { format } });
  yield* zipOf(archiveEntries({ organizationId, userId, format }));
}
