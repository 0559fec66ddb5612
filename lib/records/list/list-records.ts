import type { QueryArrayConfig, QueryArrayResult } from "pg";

import { pool, readPipelined } from "@/lib/database/db";
import { JsonText } from "@/lib/operation";
import type { ListRequest } from "@/lib/records/list/list-input";
import { keyOfCursor } from "@/lib/records/list/list-order";
import { type ListStatement, listStatement } from "@/lib/records/list/list-statement";
import type { Entity } from "@/lib/records/schema/entity";
import { fitsPage, pageJson } from "@/lib/records/schema/record-sql";

/**
 * One page of an organization's records as JSON written by PostgreSQL. The page is one range of an index behind the
 * cursor, which is not looked up unless the list is sorted by something else than creation: it works when the cursor's
 * record is deleted, and concurrent inserts and deletes move no record across it. It is shorter where records are large
 * ({@link selectWithinBytes}).
 */
export async function listRecords(entity: Entity, organizationId: string, asked: ListRequest): Promise<JsonText> {
  const request = await withCursorKey(entity, organizationId, asked);
  const statement = listStatement(entity, organizationId, request);
  const cached = cachedPage(statement);
  if (cached && cached.tag === (await currentTag(statement))) return cached.page;
  const small = request.limit <= MAX_SMALL_RECORDS ? await readSmall(statement) : undefined;
  const { records, tag, ...rest } = small ?? (await read(statement));
  if (!fitsPage(records)) {
    const large = await read(listStatement(entity, organizationId, request, true));
    return new JsonText(pageJson(large.records ?? "", large));
  }
  const page = new JsonText(pageJson(records, rest));
  if (tag !== null && statement.tagText !== undefined) cachePage(statement, { tag, page });
  return page;
}

/** A request with the place of its cursor, as that record is now. */
export async function withCursorKey(
  entity: Entity,
  organizationId: string,
  request: ListRequest,
): Promise<ListRequest> {
  const { sort, cursor, cursorKey } = request;
  if (sort === undefined || cursor === undefined || cursorKey !== undefined) return request;
  return { ...request, cursorKey: await keyOfCursor(entity, organizationId, sort, cursor) };
}

/** The present tag of a page. */
async function currentTag({ name, tagText: text = "", values }: ListStatement): Promise<string | null> {
  const statement = { text, values, rowMode: "array" as const };
  const query = () =>
    name === undefined
      ? pool().query<[tag: string | null]>(statement)
      : readPipelined<[tag: string | null]>({ name: `tag ${name}`, ...statement });
  return (await query()).rows[0]?.[0] ?? null;
}

type Row = [records: string | null, last: string | null, hasMore: boolean, tag: string | null, total?: string];

/** On the pipelined connection everybody's tokens wait behind a page, and an organization may request ten at a time. */
const MAX_SMALL_RECORDS = 50;

/** The page of a frequent list over the pipelined connection, if it is small. */
async function readSmall(statement: ListStatement) {
  const { name, smallText = "", values } = statement;
  if (name === undefined) return undefined;
  const small = { name: `small ${name}`, text: smallText, values, rowMode: "array" as const };
  const page = pageOf(await readPipelined<Row>(small, queryOf(statement)));
  return page.records === null ? undefined : page;
}

/** Any page, over the pool: writing megabytes would delay others on the pipelined connection. */
async function read(statement: ListStatement) {
  return pageOf(await pool().query<Row>(queryOf(statement)));
}

function queryOf({ name, text, values }: ListStatement): QueryArrayConfig {
  return { ...(name !== undefined && { name }), text, values, rowMode: "array" };
}

function pageOf({ rows }: QueryArrayResult<Row>) {
  const [records, last, hasMore, tag, total] = rows[0] ?? ["", null, false, null];
  return { records, last, hasMore, tag, total };
}

/** A page that was sent, and the tag by which PostgreSQL knows whether it has changed. */
interface CachedPage {
  tag: string;
  page: JsonText;
}

/**
 * In characters: of all pages with their keys, and of one page. A page of fifty records has about 50,000. A character
 * takes two bytes: in the text, and in the bytes that are sent.
 */
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

const MAX_CACHED_PAGE_CHARACTERS = 512 * 1024;

/** A page that nobody has requested for so long leaves the cache: a process that rests caches none. */
const MAX_UNUSED_MS = 60_000;

/** A request. On its first occurrence it has no page, but counts as if it had. */
interface CacheEntry {
  size: number;
  usedAt: number;
  page?: CachedPage;
}

/** Request, which includes the organization → its page; the least recently used first. */
const cacheEntries = new Map<string, CacheEntry>();

let cachedCharacters = 0;

/** The cached page of the statement. Its records may have changed since; only PostgreSQL knows, by its tag. */
export function cachedPage(statement: ListStatement): CachedPage | undefined {
  const key = cacheKey(statement);
  const before = cacheEntries.get(key);
  if (!before) return undefined;
  cacheEntries.delete(key);
  before.usedAt = performance.now();
  cacheEntries.set(key, before);
  return before.page;
}

/**
 * Caches a page from its second request on, and evicts the least recently used ones. A walk through a list requests
 * each page once, so caching on the first request would be of no use.
 */
export function cachePage(statement: ListStatement, page: CachedPage): void {
  const key = cacheKey(statement);
  const isRepeated = cacheEntries.has(key);
  evict(key);
  if (page.page.text.length > MAX_CACHED_PAGE_CHARACTERS) return;
  const size = key.length + page.page.text.length;
  const entry = { size, usedAt: performance.now(), ...(isRepeated && { page }) };
  cacheEntries.set(key, entry);
  cachedCharacters += entry.size;
  for (const oldest of cacheEntries.keys()) {
    if (cachedCharacters <= MAX_CACHED_CHARACTERS) break;
    evict(oldest);
  }
}

setInterval(() => evictUnused(), MAX_UNUSED_MS).unref();

/** Ends the caching of pages that nobody has requested lately; `now` is a time of `performance.now()`. */
export function evictUnused(now = performance.now()): void {
  const oldest = now - MAX_UNUSED_MS;
  for (const [key, { usedAt }] of cacheEntries) {
    if (usedAt > oldest) break;
    evict(key);
  }
}

function evict(key: string): void {
  cachedCharacters -= cacheEntries.get(key)?.size ?? 0;
  cacheEntries.delete(key);
}

function cacheKey({ name, text, values }: ListStatement): string {
  return `${name ?? text}\0${JSON.stringify(values)}`;
}
