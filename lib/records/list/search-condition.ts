import { z } from "zod";

import { MAX_SEARCH } from "@/lib/input/limits";
import { CASE_NUMBER_DIGITS } from "@/lib/records/entities/case";
import type { Entity } from "@/lib/records/schema/entity";
import { searchableWords } from "@/lib/records/schema/list-address";
import { phoneSuffix } from "@/lib/records/schema/phone-suffix";
import { type Bind, ORGANIZATION } from "@/lib/records/schema/record-sql";

const SEARCH_FAULT = `\`q\` must have a letter or a digit, and at most ${MAX_SEARCH} characters.`;

/** The words of a search, as people type them. */
export const searchWords = z
  .string(SEARCH_FAULT)
  .max(MAX_SEARCH, SEARCH_FAULT)
  .refine((value) => searchableWords(value) !== "" && !value.includes("\0"), SEARCH_FAULT);

/**
 * SQL: each word of `query` is the beginning of one of a record's words, or a phone number ends as it does, or it is
 * the number of a case without its zeros. The left sides are exactly the indexed expressions; the indexes' migrations
 * create the functions. The right sides are subqueries, so that PostgreSQL plans without knowing the words: where
 * nearly all records have one, it would skip the index and parse every text, which costs more than it estimates.
 */
export function searchCondition({ search, phones }: Entity, query: string, bind: Bind): string {
  const wanted = wordings(search, query).map((wording) => `search_query(${ORGANIZATION}, ${bind(wording)})`);
  const words = `search_words(organization_id, ${search.join(", ")})
    @@ (SELECT ${wanted.join(" || ")})`;
  const suffix = phones.length === 0 ? null : phoneSuffix(query);
  if (suffix === null) return words;
  return `(${words} OR phone_words(organization_id, ${phones.join(", ")})
    @@ (SELECT phone_query(${ORGANIZATION}, ${bind(suffix)})))`;
}

/** The query, and the number of a case of which somebody leaves the zeros out. */
function wordings(search: readonly string[], query: string): string[] {
  const digits = query.trim();
  const isShort = /^\d+$/.test(digits) && digits.length < CASE_NUMBER_DIGITS;
  return search.includes("case_number") && isShort ? [query, digits.padStart(CASE_NUMBER_DIGITS, "0")] : [query];
}

/**
 * SQL: the keys of the records with these words, as a source with the alias `matching`. The words come first and alone
 * (`OFFSET 0` keeps the rest out). Only their index can serve it, but PostgreSQL would at times scan the whole
 * organization and parse each text (150,000 contacts: 5 s instead of 0.3 s).
 */
export function matchingRecords({ resource }: Entity, words: string): string {
  return `(SELECT organization_id, id FROM ${resource} WHERE ${words} OFFSET 0) AS matching`;
}
