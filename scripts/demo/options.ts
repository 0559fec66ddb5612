import { parseArgs } from "node:util";

import { Fault } from "@/scripts/service/fault";

export interface DemoOptions {
  /** End after the table instead of staying up. */
  once: boolean;
  /** Records of the sandbox org, over the seven migrated objects. */
  records: number;
  /** Print one JSON line at the end. */
  json: boolean;
  /** The network address to listen on. */
  host: string;
}

const USAGE = "Usage: npm run demo -- [--once] [--records N] [--json] [--host ADDRESS]";

/** Reads the command line. Throws a sentence when it is not understood. */
export function readOptions(args: string[]): DemoOptions {
  const values = parse(args);
  const records = Number(values.records);
  if (!Number.isInteger(records) || records < 100 || records > 1_000_000) {
    throw new Fault(`--records is "${values.records}"; give a whole number from 100 to 1000000.\n${USAGE}`);
  }
  return { once: values.once, json: values.json, records, host: values.host };
}

function parse(args: string[]): { once: boolean; json: boolean; records: string; host: string } {
  // Its organization is for a look, and its clients are unlimited: nothing for a network of others, unless somebody
  // says so.
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
