import { parseArgs } from "node:util";

import { Fault } from "@/scripts/service/fault";

export interface DemoOptions {
  /** Exit after the table is printed. */
  once: boolean;
  /** Records of the sandbox org, in its nine migrated objects together. */
  records: number;
  /** Print one line of JSON at the end. */
  json: boolean;
  /** Prints what people read. With `--json`, standard output is for programs alone. */
  tell: (text: string) => void;
  /** The address to listen on. */
  host: string;
}

export const USAGE = `Usage: npm run demo -- [--once] [--records N] [--json] [--host ADDRESS]
Starts the service with a demo organization, and migrates a Salesforce-compatible org into it.

--once          exits after the table is printed
--records N     how many records the org has, from 100 to 1000000; 10000 by default
--json          prints one line of JSON at the end, and all else on standard error (with npm run --silent)
--host ADDRESS  where the service listens; 127.0.0.1 by default`;

/** Reads the command line. Throws Fault if it is invalid. */
export function readOptions(args: string[]): DemoOptions {
  const values = parse(args);
  const records = Number(values.records);
  if (!Number.isInteger(records) || records < 100 || records > 1_000_000) {
    throw new Fault(`--records must be a whole number from 100 to 1000000, not "${values.records}".\n${USAGE}`);
  }
  const { once, json, host } = values;
  return { once, json, records, host, tell: json ? console.error : console.log };
}

function parse(args: string[]): { once: boolean; json: boolean; records: string; host: string } {
  // The demo has a demo organization and no rate limit, so other machines cannot reach it unless the person asks for
  // it.
  const host = process.env.LISTEN_HOST || "127.0.0.1";
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      args,
      options: {
        once: flag,
        json: flag,
        records: { type: "string", default: "10000" },
        host: { type: "string", default: host },
      },
    }).values;
  } catch (error) {
    throw new Fault(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}
