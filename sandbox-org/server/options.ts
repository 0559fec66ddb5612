import { parseArgs } from "node:util";

export interface Options {
  readonly port: number;
  readonly records: number;
  readonly seed: number;
  /** Rows per page of query results (Salesforce: 2,000 unless the client asks for fewer). */
  readonly pageSize: number;
  /** Pages end early once they weigh this much, as Salesforce's do with wide rows. */
  readonly pageBytes: number;
  /** Calls a day before REQUEST_LIMIT_EXCEEDED. */
  readonly dailyLimit: number;
  /** Polls that a Bulk job spends in UploadComplete and InProgress. */
  readonly bulkPolls: number;
  readonly accessToken: string | null;
  /** A refresh answers a new refresh token and retires the old one. */
  readonly rotateRefreshTokens: boolean;
  /** Redirect URIs that authorize accepts; any, when empty. */
  readonly redirectUris: readonly string[];
  readonly rulesFile: string | null;
  readonly untilStdinEnds: boolean;
}

const FLAGS = {
  port: { type: "string", default: "0" },
  records: { type: "string", default: "10000" },
  seed: { type: "string", default: "1" },
  "page-size": { type: "string", default: "2000" },
  "page-bytes": { type: "string", default: "4000000" },
  "daily-limit": { type: "string", default: "1000000" },
  "bulk-polls": { type: "string", default: "2" },
  "access-token": { type: "string" },
  "rotate-refresh-tokens": { type: "boolean", default: false },
  "redirect-uri": { type: "string", multiple: true },
  rules: { type: "string" },
  "until-stdin-ends": { type: "boolean", default: false },
} as const;

function whole(name: string, text: string, minimum: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < minimum)
    throw new Error(`--${name} must be a whole number of at least ${minimum}, not "${text}".`);
  return value;
}

/** Reads the command line; throws a sentence that names the flag at fault. */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({ args: [...argv], options: FLAGS, strict: true });
  return {
    port: whole("port", values.port, 0),
    records: whole("records", values.records, 1),
    seed: whole("seed", values.seed, 0),
    pageSize: whole("page-size", values["page-size"], 1),
    pageBytes: whole("page-bytes", values["page-bytes"], 1),
    dailyLimit: whole("daily-limit", values["daily-limit"], 1),
    bulkPolls: whole("bulk-polls", values["bulk-polls"], 0),
    accessToken: values["access-token"] ?? null,
    rotateRefreshTokens: values["rotate-refresh-tokens"],
    redirectUris: values["redirect-uri"] ?? [],
    rulesFile: values.rules ?? null,
    untilStdinEnds: values["until-stdin-ends"],
  };
}
