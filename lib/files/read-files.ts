import { z } from "zod";

import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { AppError } from "@/lib/errors";
import { contentKey } from "@/lib/files/file-storage";
import { openStorage } from "@/lib/files/open-storage";
import { idOrNull } from "@/lib/ids";
import { idInput, pathId, timestampOutput } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation, Download } from "@/lib/operation";
import { RESOURCES } from "@/lib/records/schema/resources";

const file = z.object({
  id: z.uuidv7(),
  created_at: timestampOutput,
  ext_id: z.string().describe("The id in the source."),
  resource: z.enum(RESOURCES).describe("The collection of the record that the file belongs to."),
  record_id: z.uuidv7(),
  name: z.string(),
  content_type: z.string().nullable().describe("As the source said; null if it said nothing."),
  size: z.number().int().describe("In bytes."),
  sha256: z.string().describe("The digest of the content, hexadecimal."),
});

type FileRow = z.output<typeof file>;

/**
 * A file is as visible as its record: one whose record is deleted has none until the record is restored. With OFFSET,
 * PostgreSQL looks the record of each file up; without, it expects more files than a page has, and would read all
 * records of the organization first.
 */
const OF_RECORD = RESOURCES.map(
  (resource) =>
    `resource = '${resource}'
      AND EXISTS (SELECT FROM ${resource} r WHERE r.organization_id = $1 AND r.id = f.record_id OFFSET 0)`,
).join(" OR ");

const COLUMNS = `id, ${isoText("created_at")} AS created_at,
  ext_id, resource, record_id, name, content_type, size::float8 AS size, sha256`;

const listInput = z.strictObject({
  ...pageInput,
  record_id: idInput("`record_id` must be the id of a record.", "invalid_id")
    .optional()
    .describe("Files of this record only."),
  case_id: idInput("`case_id` must be the id of a case.", "invalid_id")
    .optional()
    .describe("Files of this case and of the comments and e-mails in its thread only."),
});

/** What a list asks for, and only that: for a condition that may be missing PostgreSQL would choose no index. */
export function filesStatement(
  organizationId: string,
  { limit, cursor, record_id: recordId, case_id: caseId }: z.output<typeof listInput>,
): { text: string; values: unknown[] } {
  const values: unknown[] = [organizationId, limit + 1];
  const bind = (value: unknown) => `$${values.push(value)}::uuid`;
  const conditions = [
    ...(cursor === undefined ? [] : [`id < ${bind(cursor)}`]),
    ...(recordId === undefined ? [] : [`record_id = ${bind(recordId)}`]),
    ...(caseId === undefined ? [] : [`record_id = ANY (${inThread(bind(caseId))})`]),
    `(${OF_RECORD})`,
  ];
  const text = `SELECT ${COLUMNS} FROM files f WHERE organization_id = $1 AND ${conditions.join(" AND ")}
    ORDER BY id DESC LIMIT $2`;
  return { text, values };
}

/** The ids of a case and its comments, found before the files: as a subquery they would use no index of files. */
function inThread(caseId: string): string {
  return `ARRAY(SELECT ${caseId} UNION ALL
    SELECT id FROM case_comments WHERE organization_id = $1 AND case_id = ${caseId})`;
}

export const listFiles = defineOperation({
  name: "list_files",
  summary: "List the files of records that a migration copied, the newest first.",
  scopes: ["crm:read"],
  input: listInput,
  output: pageOutput(file),
  async run({ organizationId }, input) {
    const { text, values } = filesStatement(organizationId, input);
    const { rows } = await pool().query<FileRow>(text, values);
    return cutPage(rows, input.limit, ({ id }) => id);
  },
});

async function findFile(organizationId: string, id: string): Promise<FileRow> {
  const { rows } = await pool().query<FileRow>(
    `SELECT ${COLUMNS} FROM files f WHERE organization_id = $1 AND id = $2 AND (${OF_RECORD})`,
    [organizationId, idOrNull(id)],
  );
  if (rows[0]) return rows[0];
  throw new AppError("not_found", "There is no such file.");
}

export const getFile = defineOperation({
  name: "get_file",
  summary: "Get one file: its name, size, digest, and the record that it belongs to.",
  scopes: ["crm:read"],
  input: z.strictObject({ id: pathId("file") }),
  output: file,
  run: ({ organizationId }, { id }) => findFile(organizationId, id),
});

/** Types that browsers show without running anything in them. Everything else is answered as plain bytes. */
const HARMLESS = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "text/plain"];

const BYTES = "application/octet-stream";

export const downloadFile = defineOperation({
  name: "download_file",
  summary: "Download the content of one file.",
  scopes: ["crm:read"],
  downloads: [BYTES, ...HARMLESS],
  input: z.strictObject({ id: pathId("file") }),
  output: z.string(),
  async run({ organizationId }, { id }) {
    const found = await findFile(organizationId, id);
    const body = await openStorage().read(contentKey(organizationId, id));
    if (!body) throw new AppError("not_found", "The content of this file is no longer in the storage.");
    return new Download(body, {
      "content-type": HARMLESS.find((type) => type === found.content_type) ?? BYTES,
      "content-length": String(found.size),
      "content-disposition": dispositionOf(found.name),
      "x-content-type-options": "nosniff",
    });
  },
});

/** Always an attachment, so that no content is shown on our origin (RFC 6266 §4, RFC 8187 §3.2). */
export function dispositionOf(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
