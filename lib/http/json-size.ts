import { brokenBound } from "@/lib/bounded-json";
import { AppError } from "@/lib/errors";

/** More values than fit into a megabyte of records: 200 with 120 fields each. More entries than a record has custom fields, a picklist values, and anything else of ours entries. */
const MOST = { values: 25_000, entries: 2_000 };

/**
 * Refuses a JSON text that has more values, or more of them in one object or list, than anybody means, before it is parsed: whatever walks it afterwards (JSON.parse, schemas,
 * comparisons) takes time for each, and for all of them the process serves nobody else. Nesting is bounded by `lib/http/json-fault.ts`, which says where it is too deep.
 * Throws `payload_too_large`.
 */
export function refuseCrowded(json: string): void {
  const broken = brokenBound(json, MOST);
  if (broken === "entries") throw tooMany(`One object or list of the body may have at most ${inWords(MOST.entries)} entries.`);
  if (broken) throw tooMany(`The body may have at most ${inWords(MOST.values)} values; each object and list is one as well.`);
}

function tooMany(bound: string): AppError {
  return new AppError("payload_too_large", `${bound} Send less at once.`);
}

function inWords(count: number): string {
  return count.toLocaleString("en");
}
