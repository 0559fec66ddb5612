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

/** What was asked last. A page that was asked for once is not kept yet, and counts as if it were. */
interface Asked {
  size: number;
  kept?: KeptPage;
}

/** By what was asked: the organization is part of it. */
const asked = new Map<string, Asked>();
let size = 0;

/** The page that the statement gave when it was last asked. What it shows may have changed since: only PostgreSQL knows, given its tag. */
export function keptPage(statement: ListStatement): KeptPage | undefined {
  const key = keyOf(statement);
  const before = asked.get(key);
  if (!before) return undefined;
  asked.delete(key);
  asked.set(key, before);
  return before.kept;
}

/**
 * Keeps a page in the place of what was asked longest ago, from the second time on that it is asked for: who walks through a list asks once for each page,
 * and has nothing of it that they all are kept.
 */
export function keepPage(statement: ListStatement, page: KeptPage): void {
  const key = keyOf(statement);
  const isAskedAgain = asked.has(key);
  forget(key);
  if (page.page.text.length > LONGEST_KEPT) return;
  const entry = { size: key.length + page.page.text.length, ...(isAskedAgain && { kept: page }) };
  asked.set(key, entry);
  size += entry.size;
  for (const oldest of asked.keys()) {
    if (size <= MOST_KEPT) break;
    forget(oldest);
  }
}

function forget(key: string): void {
  size -= asked.get(key)?.size ?? 0;
  asked.delete(key);
}

function keyOf({ name, text, values }: ListStatement): string {
  return `${name ?? text}\0${JSON.stringify(values)}`;
}
