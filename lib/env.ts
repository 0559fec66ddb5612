import { z } from "zod";

import {
  databaseUrlFault,
  metricsTokenFault,
  hasInngestServer,
  previousSecrets,
  refineSettings,
  secretFault,
  SettingsFault,
} from "@/lib/env-rules";
import { commaList, flag, oneOf, origin, wholeNumber, without } from "@/lib/input/setting-kinds";

const optional = z.string().optional();

const secret = without(secretFault);

const settings = z.object({
  NODE_ENV: z.string().default("production"),
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent").default("info"),
  /** One line per request at `info`. Unset, it is a line at `debug`. */
  LOG_REQUESTS: flag,
  PORT: wholeNumber(1, 65_535).default(3000),
  /** How many web processes listen at PORT together. */
  WEB_PROCESSES: wholeNumber(1, 16).default(1),
  /** Seconds between the signal to stop and the end of listening. Meanwhile the process serves, and is not ready. */
  STOP_DELAY_SECONDS: wholeNumber(0, 60).default(0),
  /** Seconds that web then gives requests in hand, downloads among them, before it ends all the same. */
  STOP_TIMEOUT_SECONDS: wholeNumber(1, 3600).default(9),
  /**
   * Seconds for which web keeps an idle connection open. Longer than the minute for which proxies usually do, so that
   * none is closed while a request is being sent on it.
   */
  KEEP_ALIVE_SECONDS: wholeNumber(1, 3600).default(65),
  /** What a scraper sends as bearer token. When it is unset, nothing is counted. */
  METRICS_TOKEN: without(metricsTokenFault).optional(),
  /** Where a process without a port of its own shows that it lives and, with METRICS_TOKEN, its metrics. */
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  /** Where traces are sent. When it is unset, none are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an address such as http://collector.internal:4318." })
    .optional(),
  /** OpenTelemetry reads these two itself, and would take what it does not know for its default: every trace. */
  OTEL_TRACES_SAMPLER: oneOf(
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
  ).optional(),
  /** The share of traces that a sampler with `traceidratio` keeps. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0?\.\d+|0|1(?:\.0+)?)$/, "must be a number from 0 to 1.")
    .optional(),
  /** The name of this process in traces, instead of crm-web and crm-worker. */
  OTEL_SERVICE_NAME: optional,
  /**
   * The network address that the web process listens on; all of the machine's when it is unset. It is not called
   * `HOST`, which some shells set to the machine's name.
   */
  LISTEN_HOST: optional,
  DATA_DIR: z.string().default(".data"),
  /** PostgreSQL 15 or newer. When it is unset, `npm start` uses the embedded server. */
  DATABASE_URL: without(databaseUrlFault).optional(),
  /** The public origin: OAuth issuer, links, same-origin checks. Never taken from a request. */
  APP_URL: origin.default("http://localhost:3000"),
  /** The root of every derived key. When it is unset, `npm start` generates one and stores it in DATA_DIR. */
  APP_SECRET: secret.optional(),
  /** Others that stored values may be encrypted with, the previous or the next one. Nothing new is encrypted so. */
  APP_SECRET_PREVIOUS: z.string().default("").transform(previousSecrets).pipe(z.array(secret)),
  INNGEST_BASE_URL: optional,
  INNGEST_DEV: z
    .string()
    .regex(/^(?:[01]|true|false|https?:\/\/[^/].*)$/, "must be 1, 0, true, false or an address.")
    .optional(),
  INNGEST_EVENT_KEY: optional,
  INNGEST_SIGNING_KEY: optional,
  /** The previous signing key, while the server's key is being changed. */
  INNGEST_SIGNING_KEY_FALLBACK: optional,
  /** Where the Inngest server reaches the web processes, if not at APP_URL: the balancer's address in the network. */
  INNGEST_SERVE_ORIGIN: origin.optional(),
  ALLOW_PRIVATE_NETWORK: flag,
  /** Set when our own proxy writes X-Forwarded-For. Otherwise the client can put anything into that header. */
  TRUST_PROXY: flag,
  /** API requests per client and minute; 0 for no limit. */
  RATE_LIMIT_PER_MINUTE: wholeNumber(0).default(6000),
  /** Where requests are counted: in each web process, or in PostgreSQL for all processes. */
  RATE_LIMIT_STORE: oneOf("memory", "postgres").default("memory"),
  /** Storage of an organization in MB, as PostgreSQL stores it; 0 for no limit. */
  STORAGE_QUOTA_MB: wholeNumber(0).default(20_480),
  /** `none` where no storage is shared: then no migration copies files. Unset: the bucket, or DATA_DIR without one. */
  FILES_STORAGE: z.literal("none", "must be none, or unset.").optional(),
  /** The address of a bucket with the API of S3, for the contents of files. When it is unset, they are in DATA_DIR. */
  FILES_S3_URL: optional,
  FILES_S3_REGION: z.string().default("us-east-1"),
  FILES_S3_ACCESS_KEY_ID: optional,
  FILES_S3_SECRET_ACCESS_KEY: optional,
  /** Seconds to wait after each failed attempt of a webhook delivery but the last. Svix's: 27.6 hours in all. */
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .regex(
      /^\d{1,7}(,\d{1,7}){0,99}$/,
      "must be at most 100 numbers of seconds, each below 10,000,000, with commas between.",
    )
    .default("5,300,1800,7200,18000,36000,36000")
    .transform((value) => value.split(",").map(Number)),
  /** Planned objects that migrations import all the same, as a preview. */
  MIGRATION_PREVIEW_OBJECTS: commaList.pipe(
    z.array(z.enum(["lead", "opportunity", "product"], "must be lead, opportunity or product, with commas between.")),
  ),
  SALESFORCE_CLIENT_ID: optional,
  SALESFORCE_CLIENT_SECRET: optional,
  /** The OpenID provider for sign-in. Compared byte for byte with the issuer that the provider names. */
  OIDC_ISSUER: optional,
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  /** The provider's name in "Sign in with …". */
  OIDC_NAME: optional,
  /** E-mail domains whose users become members at their first sign-in, if the provider has verified the address. */
  OIDC_EMAIL_DOMAINS: commaList,
});

export type Env = z.infer<typeof settings>;

function read(): Env {
  // Compose files and shells pass on what has no value as an empty string.
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
  const parsed = settings.superRefine(refineSettings).safeParse(given);
  if (parsed.success) {
    // next-auth reads its own address only from this variable.
    process.env.NEXTAUTH_URL = parsed.data.APP_URL;
    return parsed.data;
  }
  // Of a list, the place is not named: `APP_SECRET_PREVIOUS.0` would read like another setting.
  const faults = parsed.error.issues.map(({ path: [name], message }) => `  ${String(name)}: ${message}`);
  throw new SettingsFault(`Some settings are not valid. See .env.example.\n${faults.join("\n")}`);
}

/** Every setting of the process, validated once. The only place that reads `process.env`. */
export const env = read();

/** A setting that this process requires. Throws with the name of the setting when it is missing. */
export function requireSetting(name: "DATABASE_URL" | "APP_SECRET"): string {
  const value = env[name];
  if (!value)
    throw new SettingsFault(`${name} is not set. \`npm start\` sets it; .env.example says how to do so by hand.`);
  return value;
}

/** True when jobs run on a real Inngest server, false when they run on the embedded engine. */
export const usesInngestServer = hasInngestServer(env);
