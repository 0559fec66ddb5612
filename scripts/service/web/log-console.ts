import { format, stripVTControlCharacters } from "node:util";
import { isNativeError } from "node:util/types";

import { log } from "@/lib/log";

const LEVELS = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * Routes what libraries print to the console into our log. Next prints errors with all their properties; those of
 * PostgreSQL have rows and keys. The log takes of them what it takes of every error. Other objects are left out, and
 * errors with a digest: these are a page's, which `instrumentation.ts` logs with its request.
 */
export function logConsole(): void {
  for (const method of Object.keys(LEVELS) as (keyof typeof LEVELS)[])
    console[method] = (...printed: unknown[]) => {
      const err = printed.find((each) => isNativeError(each));
      if (err && "digest" in err) return;
      const text = stripVTControlCharacters(format(...printed.filter((each) => typeof each !== "object"))).trim();
      log[LEVELS[method]](err ? { err } : {}, text || "printed by a library");
    };
}
