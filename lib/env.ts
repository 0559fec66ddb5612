import { z } from "zod";

import { refineInngestSettings, hasInngestServer, refineOidcSettings } from "@/lib/env-rules";

const flag = z
  .enum(["true", "false", "1", "0", ""])
  .default("false")
  .transform((value) => value === "true" || value === "1");

const optional = z
  .string()
  .optional()
  .transform((value) => value || undefined);

const commaList = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim().toLowerCase())
      .filter(Boolean),
  );

/** Svix's schedule: with the first attempt eight of them, over a day and four hours. */
const DEFAULT_WEBHOOK_RETRY_SECONDS = "5,300,1800,7200,18000,36000,36000";

const settings = z.object({
  NODE_ENV: z.string().default("production"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  PORT: z.coerce.number().int().min(1).max(65535).default(3000),
  /**
   * The network address that the web process listens on; every one of the machine when it is unset. Not `HOST`, which
   * some shells set to the machine's name.
   */
  LISTEN_HOST: optional,
  DATA_DIR: z.string().min(1).default(".data"),
  /** PostgreSQL 15 or newer. `npm start` fills it in with the embedded server when it is unset. */
  DATABASE_URL: optional,
  /** The public origin: OAuth issuer, links, same-origin checks. Never taken from a request. */
  APP_URL: optional.pipe(z.url().default("http://localhost:3000")).transform((value) => new URL(value).origin),
  /** Root of every derived key. `npm start` makes one and keeps it in DATA_DIR when it is unset. */
  APP_SECRET: optional
    .refine((value) => value === undefined || value.length >= 32, "must have at least 32 characters")
    .refine((value) => !value?.includes(","), "must have no comma, which separates secrets in APP_SECRET_PREVIOUS"),
  /**
   * Other secrets under which stored values may still be encrypted: the one before a rotation, or the one to come.
   * Nothing is made with them.
   */
  APP_SECRET_PREVIOUS: z
    .string()
    .default("")
    .transform((value) => value.split(",").filter(Boolean))
    .refine((values) => values.every(({ length }) => length >= 32), "each must have at least 32 characters"),
  INNGEST_BASE_URL: optional,
  INNGEST_DEV: optional,
  INNGEST_EVENT_KEY: optional,
  INNGEST_SIGNING_KEY: optional,
  /** The one before, while the server's key is changed. */
  INNGEST_SIGNING_KEY_FALLBACK: optional,
  ALLOW_PRIVATE_NETWORK: flag,
  /** A proxy of ours stands in front and writes X-Forwarded-For. Without one the header is the client's invention. */
  TRUST_PROXY: flag,
  /** How many API requests a client may make in a minute; 0 for as many as it likes. */
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).default(6000),
  /** Where they are counted: in each web process by itself, or for all of them together. */
  RATE_LIMIT_STORE: z.enum(["memory", "postgres"]).default("memory"),
  /** How much an organization may store, in MB, as PostgreSQL keeps it; 0 for as much as it likes. */
  STORAGE_QUOTA_MB: z.coerce.number().int().min(0).default(20_480),
  /** How long a webhook delivery waits after each failed attempt, in seconds; it fails when the list is at its end. */
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .regex(/^\d+(,\d+)*$/, "must be seconds, separated by commas")
    .default(DEFAULT_WEBHOOK_RETRY_SECONDS)
    .transform((value) => value.split(",").map(Number)),
  SALESFORCE_CLIENT_ID: optional,
  SALESFORCE_CLIENT_SECRET: optional,
  /**
   * The OpenID provider that people may sign in through. Compared byte for byte with what the provider calls itself.
   */
  OIDC_ISSUER: optional,
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  /** What people call the provider: "Sign in with …". */
  OIDC_NAME: optional,
  /** Whose e-mail the provider has verified to be of one of these domains becomes a member at the first sign-in. */
  OIDC_EMAIL_DOMAINS: commaList,
});

export type Env = z.infer<typeof settings>;

function read(): Env {
  const parsed = settings.superRefine(refineOidcSettings).superRefine(refineInngestSettings).safeParse(process.env);
  if (parsed.success) {
    // next-auth knows its own address from here alone.
    process.env.NEXTAUTH_URL = parsed.data.APP_URL;
    return parsed.data;
  }
  const faults = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`Some settings are not valid. See .env.example.\n${faults.join("\n")}`);
}

/** Every setting of the process, validated once. The only place that reads `process.env`. */
export const env = read();

/** A setting that this process cannot do without. Throws with the name of the setting when it is missing. */
export function requireSetting(name: "DATABASE_URL" | "APP_SECRET"): string {
  const value = env[name];
  if (!value)
    throw new Error(`${name} is not set. \`npm start\` sets it; see .env.example for running a process by hand.`);
  return value;
}

/** True when jobs run on a real Inngest server, false when they run on the embedded engine. */
export const usesInngestServer = hasInngestServer(env);
