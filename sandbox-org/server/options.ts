import { parseArgs } from "node:util";

export interface Options {
  readonly port: number;
  readonly records: number;
  readonly seed: number;
  /** Rows per page of query results (Salesforce: 2,000 unless the client asks for fewer). */
  readonly pageSize: number;
  /** A page ends early at this size, as Salesforce's do with wide rows. */
  readonly pageBytes: number;
  /** Calls a day before REQUEST_LIMIT_EXCEEDED. */
  readonly dailyLimit: number;
  /** Polls until a Bulk job leaves UploadComplete and InProgress. */
  readonly bulkPolls: number;
  /** Compresses the results of Bulk jobs for clients that accept it, as Salesforce does. */
  readonly gzipResults: boolean;
  readonly accessToken: string | null;
  /** The access token stays valid when it is revoked: in a demo, nobody can hand out another. */
  readonly keepAccessToken: boolean;
  /** A refresh returns a new refresh token and revokes the old one. */
  readonly rotateRefreshTokens: boolean;
  /** Redirect URIs that the authorize endpoint accepts. Empty: any. */
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
  "gzip-results": { type: "boolean", default: false },
  "access-token": { type: "string" },
  "keep-access-token": { type: "boolean", default: false },
  "rotate-refresh-tokens": { type: "boolean", default: false },
  "redirect-uri": { type: "string", multiple: true },
  rules: { type: "string" },
  "until-stdin-ends": { type: "boolean", default: false },
} as const;

function wholeNumber(name: string, text: string, minimum: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < minimum)
    throw new Error(`--${name} must be a whole number of at least ${minimum}, not "${text}".`);
  return value;
}

/** Reads the command line. Throws an error that names the wrong flag. */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({ args: [...argv], options: FLAGS, strict: true });
  return {
    port: wholeNumber("port", values.port, 0),
    records: wholeNumber("records", values.records, 1),
    seed: wholeNumber("seed", values.seed, 0),
    pageSize: wholeNumber("page-size", values["page-size"], 1),
    pageBytes: wholeNumber("page-bytes", values["page-bytes"], 1),
    dailyLimit: wholeNumber("daily-limit", values["daily-limit"], 1),
    bulkPolls: wholeNumber("bulk-polls", values["bulk-polls"], 0),
    gzipResults: values["gzip-results"],
    accessToken: values["access-token"] ?? null,
    keepAccessToken: values["keep-access-token"],
    rotateRefreshTokens: values["rotate-refresh-tokens"],
    redirectUris: values["redirect-uri"] ?? [],
    rulesFile: values.rules ?? null,
    untilStdinEnds: values["until-stdin-ends"],
  };
}
