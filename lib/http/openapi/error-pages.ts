import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { PROBLEMS } from "@/lib/http/problem";

/** Every code that a problem can have. */
export const ERROR_CODES = Object.keys(PROBLEMS);

/**
 * The page that explains a code, in the subset of Markdown that `components/docs/markdown/parse-markdown.ts` reads.
 * Null for an unknown code.
 */
export async function readErrorPage(code: string): Promise<string | null> {
  if (!Object.hasOwn(PROBLEMS, code)) return null;
  return readFile(join(process.cwd(), "docs", "errors", `${code}.md`), "utf8");
}
