import type { JsonText } from "@/lib/operation";
import type { ListStatement } from "@/lib/records/list-statement";

/** A page as it was answered, and the tag under which PostgreSQL knows whether it has changed. */
interface KeptPage {
  tag: string;
  page: JsonText;
}

/** In characters, of all pages with their keys, and of one: a page of fifty has some 50,000. A page takes two bytes for each: as text and as it is sent. */
const MOST_KEPT = 16 * 1024 * 1024;
const LONGEST_KEPT = 512 * 1024;

/** The pages that were read last, by what was asked: the organization is part of it. */
const pages = new Map<string, KeptPage>();
let length = 0;

/** The page that the statement gave when it was last asked. What it shows may have changed since: only PostgreSQL knows, given its tag. */
export function keptPage(statement: ListStatement): KeptPage | undefined {
  const key = keyOf(statement);
  const page = pages.get(key);
  if (!page) return undefined;
  pages.delete(key);
  pages.set(key, page);
  return page;
}

/** Keeps a page in the place of what was read longest ago. */
export function keepPage(statement: ListStatement, kept: KeptPage): void {
  const key = keyOf(statement);
  forget(key);
  if (kept.page.text.length > LONGEST_KEPT) return;
  pages.set(key, kept);
  length += sizeOf(key, kept);
  for (const oldest of pages.keys()) {
    if (length <= MOST_KEPT) break;
    forget(oldest);
  }
}

function forget(key: string): void {
  const page = pages.get(key);
  if (!page) return;
  length -= sizeOf(key, page);
  pages.delete(key);
}

function sizeOf(key: string, { page }: KeptPage): number {
  return key.length + page.text.length;
}

function keyOf({ name, text, values }: ListStatement): string {
  return `${name ?? text}\0${JSON.stringify(values)}`;
}
