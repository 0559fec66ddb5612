import { pool, readShortly } from "@/lib/db";
import { JsonText } from "@/lib/operation";
import type { Entity } from "@/lib/records/entity";
import type { ListRequest } from "@/lib/records/list-input";
import { keepPage, keptPage } from "@/lib/records/kept-pages";
import { type ListStatement, listStatement } from "@/lib/records/list-statement";
import { isPage } from "@/lib/records/page-bytes";

/**
 * One page of an organization's records as JSON that PostgreSQL has written. The page is one index range that begins behind the cursor, which
 * needs no lookup: it works when the cursor's own record is gone, and what others insert or delete moves no record across it. It ends early where
 * its records are large ({@link selectWithinBytes}).
 */
export async function listRecords(entity: Entity, organizationId: string, request: ListRequest): Promise<JsonText> {
  const statement = listStatement(entity, organizationId, request);
  const kept = keptPage(statement);
  if (kept && kept.tag === (await tagNow(statement))) return kept.page;
  const { records, tag, ...rest } = await read(statement);
  if (!isPage(records)) {
    const large = await read(listStatement(entity, organizationId, request, true));
    return new JsonText(envelope(large.records ?? "", large));
  }
  const page = new JsonText(envelope(records, rest));
  if (tag !== null && statement.tagText !== undefined) keepPage(statement, { tag, page });
  return page;
}

/** The tag of a page as it is by now. */
async function tagNow({ name, tagText: text = "", values }: ListStatement): Promise<string | null> {
  const statement = { text, values, rowMode: "array" as const };
  const query = () =>
    name === undefined ? pool().query<[tag: string | null]>(statement) : readShortly<[tag: string | null]>({ name: `tag ${name}`, ...statement });
  return (await query()).rows[0]?.[0] ?? null;
}

type Row = [records: string | null, last: string | null, hasMore: boolean, tag: string | null, total?: string];

/** A page that has to be written is no short read: it can be megabytes, and would hold up what others ask. */
async function read({ name, text, values }: ListStatement) {
  const { rows } = await pool().query<Row>({ ...(name !== undefined && { name }), text, values, rowMode: "array" });
  const [records, last, hasMore, tag, total] = rows[0] ?? ["", null, false, null];
  return { records, last: last ?? "", hasMore, tag, total };
}

interface Rest {
  last: string;
  hasMore: boolean;
  total?: string | undefined;
}

function envelope(records: string, { last, hasMore, total }: Rest): string {
  const count = total === undefined ? "" : `,"total":${total}`;
  const cursor = hasMore ? `"${last}"` : "null";
  return `{"data":[${records}],"next_cursor":${cursor},"has_more":${hasMore}${count}}`;
}
