import { chmod, chown, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { closeDatabase, pool, readPipelined } from "@/lib/database/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { checkReadiness } from "@/lib/observability/readiness";
import { type Cluster, startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { explained } from "@/scripts/postgres/explain-failure";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { serverUser } from "@/scripts/postgres/program";
import { refuseUnsafeDatabase } from "@/scripts/service/processes/refuse-unsafe-database";
import { createClusterFolder } from "@/tests/support/temporary-cluster";

const { DATABASE_URL } = env;
const access = { secrets: [env.APP_SECRET ?? ""] as [string] };

let folder: string;
let cluster: Cluster;

/** A server that takes connections from other machines only if they are encrypted. Nobody else has signed it. */
beforeAll(async () => {
  folder = await createClusterFolder("crm-tls-", "postgres");
  const data = join(folder, "postgres");
  await (await startCluster(data, { flags: ["fsync=off"] })).stop();
  await placeCertificate(data);
  const rules = join(data, "pg_hba.conf");
  await writeFile(rules, `hostnossl all all all reject\n${await readFile(rules, "utf8")}`);
  cluster = await startCluster(data, { flags: ["fsync=off", "ssl=on"] });
  await ensureDatabase(cluster.url("postgres"), "crm");
});

afterAll(async () => {
  await use(DATABASE_URL);
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The certificate of "localhost" and its key where the server looks for them, of its user alone. */
async function placeCertificate(data: string): Promise<void> {
  const user = await serverUser();
  for (const kind of ["crt", "key"]) {
    const file = join(data, `server.${kind}`);
    await copyFile(join(import.meta.dirname, "support", `localhost.${kind}`), file);
    await chmod(file, 0o600);
    if (user) await chown(file, user.uid, user.gid);
  }
}

/** The owner's address over TCP. */
function address(search: string): string {
  return Object.assign(new URL(cluster.url("crm")), { hostname: "localhost", search }).href;
}

async function use(url: string | undefined): Promise<void> {
  env.DATABASE_URL = url;
  await closeDatabase();
}

const IS_ENCRYPTED = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

test("with sslmode and sslrootcert in its address, the database is prepared and used over TLS", async () => {
  const certificate = join(folder, "postgres", "server.crt");
  const url = address(`?sslmode=verify-full&sslrootcert=${certificate}`);
  const { applied, runtimeUrl } = await prepareDatabase(url, access);
  expect(applied.length).toBeGreaterThan(0);
  await use(runtimeUrl);
  await refuseUnsafeDatabase({ needsMigrations: true });
  expect((await pool().query(IS_ENCRYPTED)).rows).toEqual([{ ssl: true }]);
  const read = { name: "is encrypted", text: IS_ENCRYPTED, rowMode: "array" as const };
  expect((await readPipelined(read)).rows).toEqual([[true]]);
  expect(await checkReadiness()).toMatchObject({ status: "ready" });
});

const TLS_FAILS = "TLS to the database of DATABASE_URL fails. Check sslmode and sslrootcert in it";

test.each([
  [
    "no sslmode, where the server takes no other connections",
    "",
    "the database of DATABASE_URL refuses the connection. Check sslmode and sslrootcert in it",
  ],
  ["no authority that has signed the server's certificate", "?sslmode=verify-full", TLS_FAILS],
  ["a file that there is not", "?sslmode=verify-full&sslrootcert=/there/is/none.pem", TLS_FAILS],
])("an address with %s is told of as such", async (_, search, told) => {
  const url = address(search);
  await expect(explained(url, prepareDatabase(url, access))).rejects.toThrow("check sslmode and sslrootcert in it");
  const warn = vi.spyOn(log, "warn").mockReturnValue(undefined);
  await use(url);
  const refusing = refuseUnsafeDatabase({ retryMs: 20 });
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0);
  await use(DATABASE_URL);
  await refusing;
  expect(warn.mock.calls.at(0)?.join(" ")).toContain(told);
});
