import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";

import type { Change } from "./control/mutate";
import type { RulesDocument } from "./control/routes";
import type { FaultRule } from "./faults/rule";
import type { Stats } from "./server/stats";

export interface StartOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Records of the seven migrated objects together. */
  readonly records?: number;
  readonly seed?: number;
  readonly pageSize?: number;
  readonly pageBytes?: number;
  readonly dailyLimit?: number;
  readonly bulkPolls?: number;
  readonly gzipResults?: boolean;
  readonly accessToken?: string;
  readonly keepAccessToken?: boolean;
  readonly rotateRefreshTokens?: boolean;
  readonly redirectUris?: readonly string[];
  /** A JSON file for `--rules`: fault rules and access that apply from the first request on. */
  readonly rulesFile?: string;
}

/** A running org, in a separate process. */
export interface RunningOrg {
  readonly instanceUrl: string;
  readonly accessToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly pid: number;
  /** Replaces all fault rules, and the user's access. */
  setRules(document: RulesDocument | readonly FaultRule[]): Promise<void>;
  /** Changes records and returns their ids. */
  mutate(...changes: readonly Change[]): Promise<string[]>;
  stats(): Promise<ReturnType<Stats["report"]>>;
  resetStats(): Promise<void>;
  expireSessions(): Promise<void>;
  expireCursors(): Promise<void>;
  expireJobs(): Promise<void>;
  stop(): Promise<void>;
}

/** Of the project: from the sources as from the compiled programs in `dist`. */
const ROOT = join(import.meta.dirname, "..");
/** Compiled, since it starts sooner so: every command and every run of the tests compiles it before. */
const MAIN = join(ROOT, "dist/sandbox-org.js");
/** Garbage is collected early, so that the process stays small enough to run beside a benchmark. */
const MEMORY_FLAGS = ["--max-old-space-size=256", "--max-semi-space-size=16"];

function flagsOf(options: StartOptions): string[] {
  const named: Record<string, string | number | undefined> = {
    port: options.port,
    records: options.records,
    seed: options.seed,
    "page-size": options.pageSize,
    "page-bytes": options.pageBytes,
    "daily-limit": options.dailyLimit,
    "bulk-polls": options.bulkPolls,
    "access-token": options.accessToken,
    rules: options.rulesFile,
  };
  const flags = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  const uris = (options.redirectUris ?? []).map((uri) => `--redirect-uri=${uri}`);
  const switches = [
    options.keepAccessToken && "--keep-access-token",
    options.rotateRefreshTokens && "--rotate-refresh-tokens",
    options.gzipResults && "--gzip-results",
  ];
  return [...flags, ...uris, ...switches.filter((flag) => typeof flag === "string")];
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("The sandbox org has no standard output.");
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, "line"), once(child, "exit")])) as [unknown];
  if (typeof line !== "string")
    throw new Error(`The sandbox org ended before it listened (exit code ${String(line)}).`);
  return line;
}

/** Starts an org as a child process and waits until it listens. It ends when this process ends. */
export async function startSandboxOrg(options: StartOptions = {}): Promise<RunningOrg> {
  const child = spawn(process.execPath, [...MEMORY_FLAGS, MAIN, "--until-stdin-ends", ...flagsOf(options)], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ready = JSON.parse(await firstLine(child)) as {
    instance_url: string;
    access_token: string;
    client_id: string;
    client_secret: string;
    pid: number;
  };
  return {
    instanceUrl: ready.instance_url,
    accessToken: ready.access_token,
    clientId: ready.client_id,
    clientSecret: ready.client_secret,
    pid: ready.pid,
    ...controlsOf(ready.instance_url),
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

function controlsOf(
  instanceUrl: string,
): Pick<
  RunningOrg,
  "setRules" | "mutate" | "stats" | "resetStats" | "expireSessions" | "expireCursors" | "expireJobs"
> {
  const control = async (method: string, name: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${instanceUrl}/__control/${name}`, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`The sandbox org refused ${method} ${name}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    setRules: async (document) => void (await control("POST", "rules", document)),
    mutate: async (...changes) => ((await control("POST", "mutate", { changes })) as { ids: string[] }).ids,
    stats: async () => (await control("GET", "stats")) as ReturnType<Stats["report"]>,
    resetStats: async () => void (await control("DELETE", "stats")),
    expireSessions: async () => void (await control("POST", "expire-sessions")),
    expireCursors: async () => void (await control("POST", "expire-cursors")),
    expireJobs: async () => void (await control("POST", "expire-jobs")),
  };
}
