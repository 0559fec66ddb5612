import { pino } from "pino";

import { env } from "@/lib/env";

const SECRET_FIELDS = ["access_token", "refresh_token", "client_secret", "code", "code_verifier", "password", "secret", "authorization", "cookie"];

/** The process's log: one JSON line per event on standard output. Pass ids and counters, never records; secrets are cut out by name. */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: "[secret]" },
});
