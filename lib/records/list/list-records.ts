import { pool, readPipelined } from "@/lib/database/db";
import { JsonText } from "@/lib/operation";
import type { ListRequest } from "@/lib/records/list/list-input";
import { type ListStatement, listStatement } from "@/lib/records/list/list-statement";
import type { Entity } from "@/lib/records/schema/entity";
import { fitsPage, pageJson } from "@/lib/records/schema/record-sql";

/**
 * One page of an organization's records as JSON that PostgreSQL has written. The page is one index range that begins
 * behind the cursor, which needs no lookup: it works when the cursor's own record is gone, and what others insert or
 * delete moves no record across it. It ends early where its records are large ({@link selectWithinBytes}).
 */
export async function listRecords(entity: Entity, organizationId: string, request: ListRequest): Promise<JsonText> {
  const statement = listStatement(entity, organizationId, request);
  const kept = cachedPage(statement);
  if (kept && kept.tag === (await currentTag(statement))) return kept.page;
  const { records, tag, ...rest } = await read(statement);
  if (!fitsPage(records)) {
    const large = await read(listStatement(entity, organizationId, request, true));
    return new JsonText(pageJson(large.records ?? "", large));
  }
  const page = new JsonText(pageJson(records, rest));
  if (tag !== null && statement.tagText !== undefined) cachePage(statement, { tag, page });
  return page;
}

/** The tag of a page as it is by now. */
async function currentTag({ name, tagText: text = "", values }: ListStatement): Promise<string | null> {
  const statement = { text, values, rowMode: "array" as const };
  const query = () =>
    name === undefined
      ? pool().query<[tag: string | null]>(statement)
      : readPipelined<[tag: string | null]>({ name: `tag ${name}`, ...statement });
  return (await query()).rows[0]?.[0] ?? null;
}

type Row = [records: string | null, last: string | null, hasMore: boolean, tag: string | null, total?: string];

/** A page that has to be written is no short read: it can be megabytes, and would hold up what others ask. */
async function read({ name, text, values }: ListStatement) {
  const { rows } = await pool().query<Row>({ ...(name !== undefined && { name }), text, values, rowMode: "array" });
  const [records, last, hasMore, tag, total] = rows[0] ?? ["", null, false, null];
  return { records, last, hasMore, tag, total };
}

/** A page as it was answered, and the tag under which PostgreSQL knows whether it has changed. */
interface CachedPage {
  tag: string;
  page: JsonText;
}

/**
 * In characters, of all pages with their keys, and of one: a page of fifty has some 50,000. A page takes two bytes for
 * each: as text and as it is sent.
 */
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

const MAX_CACHED_PAGE_CHARACTERS = 512 * 1024;

/** What was asked last. A page that was asked for once is not kept yet, and counts as if it were. */
interface Asked {
  size: number;
  kept?: CachedPage;
}

/** By what was asked: the organization is part of it. */
const asked = new Map<string, Asked>();

let size = 0;

/**
 * The page that the statement gave when it was last asked. What it shows may have changed since: only PostgreSQL knows,
 * given its tag.
 */
export function cachedPage(statement: ListStatement): CachedPage | undefined {
  const key = cacheKey(statement);
  const before = asked.get(key);
  if (!before) return undefined;
  asked.delete(key);
  asked.set(key, before);
  return before.kept;
}

/**
 * Keeps a page in the place of what was asked longest ago, from the second time on that it is asked for: who walks
 * through a list asks once for each page, and has nothing of it that they all are kept.
 */
export function cachePage(statement: ListStatement, page: CachedPage): void {
  const key = cacheKey(statement);
  const isAskedAgain = asked.has(key);
  evict(key);
  if (page.page.text.length > MAX_CACHED_PAGE_CHARACTERS) return;
  const entry = { size: key.length + page.page.text.length, ...(isAskedAgain && { kept: page }) };
  asked.set(key, entry);
  size += entry.size;
  for (const oldest of asked.keys()) {
    if (size <= MAX_CACHED_CHARACTERS) break;
    evict(oldest);
  }
}

function evict(key: string): void {
  size -= asked.get(key)?.size ?? 0;
  asked.delete(key);
}

function cacheKey({ name, text, values }: ListStatement): string {
  return `${name ?? text}\0${JSON.stringify(values)}`;
}
