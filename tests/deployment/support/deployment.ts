import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { serverUser } from "@/scripts/postgres/program";
import { OUT } from "@/scripts/service/build/build-package";
import { type PostgresServer, startPostgres } from "@/tests/deployment/support/postgres-server";

const READY_TIMEOUT_MS = 60_000;

/** The garbage collector's flags of the worker in `compose.yaml` and in its manifest. */
const WORKER_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=400"];

/** A machine with the packaged service and nothing else: no package is found beside or above it. */
export class Deployment implements AsyncDisposable {
  readonly #children = new Set<ChildProcess>();
  readonly #servers: PostgresServer[] = [];

  private constructor(
    readonly folder: string,
    /** Where the packaged service is. */
    readonly app: string,
  ) {}

  static async create(): Promise<Deployment> {
    const folder = await mkdtemp(join(tmpdir(), "crm-rehearsal-"));
    await chmod(folder, 0o755);
    const app = join(folder, "app");
    await cp(OUT, app, { recursive: true, verbatimSymlinks: true });
    // Nobody may read it: Next would, and then refuse every request, since the keys of the bucket are missing.
    await writeFile(join(app, ".env"), "FILES_S3_URL=https://bucket.example.com\n");
    await cp(process.execPath, join(folder, "node"));
    await mkdir(join(folder, "data"));
    await chmod(join(folder, "data"), 0o777);
    return new Deployment(folder, app);
  }

  async startPostgres(name: string): Promise<PostgresServer> {
    const server = await startPostgres(join(this.folder, name));
    this.#servers.push(server);
    return server;
  }

  /** Runs the job that comes before web and worker. `app` may be another release. */
  async prepare(database: PostgresServer, app = this.app): Promise<void> {
    const child = await this.startPreparation(database, app);
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`The preparation of the database ended with ${String(code)}.`);
  }

  startPreparation({ ownerUrl, runtimeUrl }: PostgresServer, app: string): Promise<ChildProcess> {
    const settings = { DATABASE_URL: ownerUrl, DATABASE_RUNTIME_URL: runtimeUrl };
    return this.#spawn(["dist/prepare-database.js"], settings, app);
  }

  /** Starts a web process and waits until it is ready. `app` may be another release. */
  async startWeb(port: number, settings: Record<string, string>, app = this.app): Promise<ChildProcess> {
    const child = await this.#spawn(["dist/web.js"], { ...settings, PORT: String(port) }, app);
    for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await pause(50)) {
      const ready = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => undefined);
      if (ready?.ok) return child;
      if (child.exitCode !== null) throw new Error(`The web process ended with ${child.exitCode}.`);
      if (Date.now() > deadline) throw new Error("The web process was not ready within a minute.");
    }
  }

  startWorker(settings: Record<string, string>): Promise<ChildProcess> {
    return this.#spawn([...WORKER_FLAGS, "dist/worker.js"], settings);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) await stop(child);
    for (const server of this.#servers) await server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** As an ordinary user, with the settings alone: nothing of this process's environment. */
  async #spawn(args: readonly string[], settings: Record<string, string>, app = this.app): Promise<ChildProcess> {
    const ours = {
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      APP_SECRET: process.env.APP_SECRET ?? "",
      DATA_DIR: join(this.folder, "data"),
      ALLOW_PRIVATE_NETWORK: "true",
      RATE_LIMIT_PER_MINUTE: "0",
      MIGRATION_PREVIEW_OBJECTS: "lead,opportunity,product",
    };
    const child = spawn(join(this.folder, "node"), args, {
      ...(await serverUser()),
      cwd: app,
      env: { ...ours, ...settings } as unknown as NodeJS.ProcessEnv,
      stdio: ["ignore", "inherit", "inherit"],
    });
    this.#children.add(child);
    return child;
  }
}

/** Stops a process as an operator's tools do, and waits until it has ended. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
