import { z } from "zod";

import { batchesOf } from "@/lib/batches";
import { cellOf, CSV, csvDownload, NDJSON, ndjsonDownload } from "@/lib/downloads";
import { inOrganization } from "@/lib/database/organization-scope";
import { MAX_LIMIT } from "@/lib/input/limits";
import { defineOperation, type Operation } from "@/lib/operation";
import { assertMayFilterByMigration } from "@/lib/records/list/filters";
import { listInput, type ListRequest, listRequest } from "@/lib/records/list/list-input";
import { findRecords } from "@/lib/records/list/find-records";
import { listRecords, withCursorKey } from "@/lib/records/list/list-records";
import type { Entity } from "@/lib/records/schema/entity";
import { wholeName, withCaseNumber } from "@/lib/records/schema/record-name";
import { perResource } from "@/lib/records/schema/registry";
import { assertMayExpand, columnsInput, type Expansion } from "@/lib/records/schema/view";

/** The values of a list's page that the export reads. Custom fields are an object. */
const exportedPage = z.object({
  data: z.array(z.record(z.string(), z.json())),
  next_cursor: z.string().nullable(),
});

type ExportedRecord = z.output<typeof exportedPage>["data"][number];

const formatInput = {
  format: z
    .enum(["csv", "ndjson"], "`format` must be `csv` or `ndjson`.")
    .default("csv")
    .describe("`csv`, or `ndjson`: a record per line, as JSON."),
};

function declareExport(entity: Entity) {
  const plural = entity.resource.replaceAll("_", " ");
  return defineOperation({
    name: `export_${entity.resource}`,
    summary:
      `Download ${plural} as CSV or NDJSON: all that the filters of the list select, however many, in its order. In ` +
      "CSV, texts that a spreadsheet would run as a formula begin with an apostrophe, and a reference that `expand` " +
      "names has a column of its own, with a name. The download breaks off when its access token ends.",
    scopes: entity.readScopes,
    downloads: [CSV, NDJSON],
    exports: "list",
    input: listInput(entity)
      .omit({ limit: true, cursor: true, include: true })
      .extend({ ...formatInput, fields: columnsInput(entity) }),
    output: z.string(),
    async run(context, { format, ...parameters }) {
      const { organizationId } = context;
      const all = listRequest(entity, { ...parameters, limit: MAX_LIMIT }, context);
      if (all.filters.migration_id) assertMayFilterByMigration(context);
      if (all.expand) assertMayExpand(context, all.expand);
      const fields = all.fields ?? Object.keys(entity.fields);
      // Pages of named fields are not cached: those of an export would drive out the lists that people look at.
      const pages = pagesOf(entity, organizationId, { ...all, fields });
      if (format === "ndjson") return ndjsonDownload(`${entity.resource}.ndjson`, pages);
      const columns = columnsOf(fields, all.expand ?? []);
      const names = columns.map(({ name }) => name);
      return csvDownload(`${entity.resource}.csv`, names, rowsOf(pages, columns));
    },
  });
}

/** One page of the list after the other. Each is a query of its own, so none stays open for a slow client. */
async function* pagesOf(
  entity: Entity,
  organizationId: string,
  request: ListRequest,
): AsyncGenerator<ExportedRecord[]> {
  for await (const part of partsOf(entity, organizationId, request)) {
    for (let next: ListRequest | null = part; next !== null;) {
      const from: ListRequest = next;
      const page = await inOrganization(organizationId, () => readPage(entity, organizationId, from));
      yield page.data;
      next = page.next;
    }
  }
}

/** A field, or the name of what a field refers to. */
interface Column {
  name: string;
  /** The kind of what is named. */
  references?: Expansion["references"];
}

/** The columns of the fields, each expanded reference behind its id. */
function columnsOf(fields: readonly string[], expand: readonly Expansion[]): Column[] {
  const behind = fields.flatMap((name): Column[] => [{ name }, ...expand.filter(({ field }) => field === name)]);
  return [...behind, ...expand.filter(({ field }) => !fields.includes(field))];
}

async function* rowsOf(pages: AsyncIterable<ExportedRecord[]>, columns: readonly Column[]) {
  for await (const page of pages) yield page.map((record) => columns.map((column) => valueIn(record, column)));
}

function valueIn(record: ExportedRecord, { name, references }: Column) {
  const value = record[name] ?? null;
  return references === undefined || value === null ? cellOf(value) : nameOf(value as ExportedRecord, references);
}

function nameOf(expanded: ExportedRecord, kind: Expansion["references"]): string {
  return kind === "users" ? String(expanded.name) : withCaseNumber(wholeName(kind, expanded), expanded);
}

/** A search finds so many records at once. An export holds their ids: about two megabytes. */
const MAX_FOUND = 20_000;

/**
 * The requests that together are the list. A search finds all its records for each page of them, which for a frequent
 * word takes long; so their ids are found for a hundred pages at once, and each page reads its own.
 */
async function* partsOf(entity: Entity, organizationId: string, request: ListRequest): AsyncGenerator<ListRequest> {
  if (request.q === undefined) return yield request;
  for (let next: ListRequest | null = { ...request, limit: MAX_FOUND }; next !== null;) {
    const from: ListRequest = next;
    const found = await inOrganization(organizationId, () => findRecords(entity, organizationId, from));
    for (const ids of batchesOf(found.ids, MAX_LIMIT)) yield { ...request, q: undefined, ids };
    next = found.next;
  }
}

/**
 * A page, and the request of the next one. That page's place is read at once: the record that it begins behind may
 * change while a slow client takes this page.
 */
async function readPage(entity: Entity, organizationId: string, from: ListRequest) {
  const { cursorKey: _, ...request } = from;
  const page = await listRecords(entity, organizationId, from);
  const { data, next_cursor: cursor } = exportedPage.parse(JSON.parse(page.text));
  const next = cursor === null ? null : await withCursorKey(entity, organizationId, { ...request, cursor });
  return { data, next };
}

/** The operation that downloads a list of a resource as CSV or NDJSON. */
export const exportOperation = perResource<Operation>(declareExport);
