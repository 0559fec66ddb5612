import { writeSync } from "node:fs";

import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

import { env } from "@/lib/env";
import { namesOfWork } from "@/lib/observability/instruments";

const SECRET_FIELDS = [
  "access_token",
  "refresh_token",
  "ext_access_token",
  "client_secret",
  "code",
  "code_verifier",
  "password",
  "secret",
  "authorization",
  "cookie",
];

const ERROR_FIELDS = ["err", "error"];

/**
 * Pino gives `censor` the path of a value only where the rule begins with that path; hence the paths below an error.
 */
const SECRET_PATHS = SECRET_FIELDS.flatMap((field) => [
  field,
  `*.${field}`,
  ...ERROR_FIELDS.map((error) => `${error}.${field}`),
]);

const MAX_CAUSES = 5;

interface LoggedError {
  type: string;
  message?: string | undefined;
  code?: string | undefined;
  stack?: string | undefined;
  cause?: LoggedError;
}

/**
 * The part of an error that is logged. Other properties are not: PostgreSQL puts rows and keys into `detail` and
 * `where`, and HTTP clients put whole requests and responses.
 */
function describeError(thrown: unknown, depth = 0): LoggedError {
  if (typeof thrown !== "object" || thrown === null) return { type: typeof thrown, message: String(thrown) };
  const { name, message, code, stack, cause } = thrown as Record<string, unknown>;
  const described: LoggedError = {
    type: textOf(name) ?? "object",
    message: textOf(message),
    code: textOf(code),
    stack: textOf(stack),
  };
  if (cause !== undefined && depth < MAX_CAUSES) described.cause = describeError(cause, depth + 1);
  return described;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** An error's code is logged. Every other `code` is a secret, such as an authorization code. */
function censor(value: unknown, path: readonly (string | symbol)[]): unknown {
  return path.at(-1) === "code" && ERROR_FIELDS.some((field) => path.at(-2) === field) ? value : "[secret]";
}

/** How long a process waits for the reader of a full pipe before it tries again. */
const FULL_PIPE_MS = 10;

const sleeping = new Int32Array(new SharedArrayBuffer(4));

/**
 * A file, or standard output, which may be one. Each line is written at once. What a full disk does not take is left
 * out: neither may it end the service, nor may the log be silent once there is room again.
 */
export class LogFile implements DestinationStream {
  readonly #file: number;
  /** Whether the last line was written in part. */
  #isCut = false;

  constructor(file = 1) {
    this.#file = file;
  }

  write(line: string): void {
    let rest = Buffer.from(this.#isCut ? `\n${line}` : line);
    try {
      while (rest.length > 0) rest = rest.subarray(this.#writeSome(rest));
      this.#isCut = false;
    } catch {
      this.#isCut ||= rest.length < Buffer.byteLength(line);
    }
  }

  /** The bytes that were written: none, if the reader of a pipe has not kept up. */
  #writeSome(bytes: Buffer): number {
    try {
      return writeSync(this.#file, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(sleeping, 0, 0, FULL_PIPE_MS);
      return 0;
    }
  }
}

/**
 * A log with one JSON line per event, which names the request or job that it belongs to. Pass ids and counters, never
 * records. Fields with the name of a secret are censored.
 */
export function openLog(level: string, destination: DestinationStream = new LogFile()): Logger {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: Object.fromEntries(ERROR_FIELDS.map((field) => [field, (thrown: unknown) => describeError(thrown)])),
    redact: { paths: SECRET_PATHS, censor },
    mixin: () => namesOfWork(),
    mixinMergeStrategy: (given, names) => ({ ...names, ...given }),
  };
  return pino(options, destination);
}

/** The process's log, on standard output. */
export const log = openLog(env.LOG_LEVEL);
