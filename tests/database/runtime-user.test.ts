import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

import { Client } from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";

import { acrossOf } from "@/scripts/postgres/databases";
import { secureDatabase } from "@/scripts/postgres/row-level-security";
import { createOrganization } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";

const ownerUrl = process.env.DATABASE_OWNER_URL ?? "";
// Created as an operator would: in PostgreSQL a user inherits by default.
const user = `given_${randomBytes(6).toString("hex")}`;
const given = new URL(ownerUrl);
Object.assign(given, { username: user, password: "given" });
const pooled = `pooled_${randomBytes(6).toString("hex")}`;
const unadmitted = `unadmitted_${randomBytes(6).toString("hex")}`;

afterAll(async () => {
  for (const name of [user, pooled, unadmitted].flatMap((each) => [each, acrossOf(each)]))
    await owner().query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
});

async function as<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test("an operator's own user that inherits sees nothing outside of a scope", async () => {
  await createOrganization();
  await owner().query(`CREATE ROLE ${user} LOGIN PASSWORD 'given'`);
  const url = await secureDatabase(ownerUrl, { runtimeUrl: given.href, secrets: ["a secret of this test"] });
  await as(url, async (client) => {
    expect((await client.query("SELECT id FROM organizations")).rows).toEqual([]);
    await client.query("BEGIN");
    await client.query("SELECT set_config('role', $1, true)", [acrossOf(user)]);
    expect((await client.query("SELECT id FROM organizations")).rowCount).toBeGreaterThan(0);
    await client.query("ROLLBACK");
  });
});

test("the former user is locked out when DATABASE_RUNTIME_URL names another, until it is unset", async () => {
  const read = (url: string) => as(url, (client) => client.query("SELECT id FROM accounts"));
  const made = await secureDatabase(ownerUrl, { secrets: ["a secret of this test"] });
  await read(made);
  await expect(read(given.href)).rejects.toThrow("permission denied");
  const another = { runtimeUrl: given.href, secrets: ["a secret of this test"] } as const;
  await as(made, async (client) => {
    await expect(secureDatabase(ownerUrl, another)).rejects.toThrow(
      /^Web or worker uses the database user \w+ \(connections: 1\)/,
    );
    await client.query("SELECT id FROM accounts");
  });
  // PostgreSQL notices a moment later that a connection has ended.
  await expect.poll(() => secureDatabase(ownerUrl, another).catch(String)).toBe(given.href);
  await expect(read(made)).rejects.toThrow("not permitted to log in");
  await read(given.href);
  expect(await secureDatabase(ownerUrl, { secrets: ["a secret of this test"] })).toBe(made);
  await read(made);
});

test("the owner of the tables is refused as the user of web and worker", async () => {
  const secrets = ["a secret of this test"] as const;
  await expect(secureDatabase(ownerUrl, { runtimeUrl: ownerUrl, secrets })).rejects.toThrow(
    /^The database user \w+ owns the tables, and no row of them is hidden from it\. Set DATABASE_RUNTIME_URL/,
  );
});

/** A refusal of a user: with `08P01`, protocol_violation, that of PgBouncer before 1.21. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0Mno such user\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Answers as a pooler does: it refuses a user whom PostgreSQL does not have, and passes on all else. */
async function passOn(client: Socket): Promise<void> {
  client.on("error", () => undefined);
  const [first] = (await once(client, "data")) as [Buffer];
  client.pause();
  const { rowCount } = await owner().query("SELECT FROM pg_roles WHERE rolname = $1", [pooled]);
  if (!rowCount) return void client.end(refusal("08P01"));
  const { hostname, port } = new URL(ownerUrl);
  const server = connect(Number(port), hostname, () => server.write(first));
  server.on("error", () => client.destroy());
  client.pipe(server).pipe(client);
}

/** The address of a user of a server that answers each first message so. */
async function serveAs(name: string, answer: (client: Socket) => Promise<void>): Promise<URL> {
  const server = createServer((client) => void answer(client));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = new URL(ownerUrl);
  return Object.assign(url, { username: name, password: name, hostname: "127.0.0.1", port: String(port), search: "" });
}

test("a user whom a pooler refuses until PostgreSQL has it is created", async () => {
  const { href } = await serveAs(pooled, passOn);
  const secrets = ["a secret of this test"] as const;
  await expect.poll(() => secureDatabase(ownerUrl, { runtimeUrl: href, secrets }).catch(String)).toBe(href);
  await as(href, (client) => client.query("SELECT id FROM accounts"));
  await expect.poll(() => secureDatabase(ownerUrl, { secrets }).catch(String)).toMatch(/^postgresql:/);
});

test("of a user that was created just now, a refusal names pg_hba.conf alone, and not its password", async () => {
  const { href } = await serveAs(unadmitted, async (client) => {
    client.on("error", () => undefined);
    await once(client, "data");
    client.end(refusal("28000"));
  });
  const secrets = ["a secret of this test"] as const;
  const outcome = () => secureDatabase(ownerUrl, { runtimeUrl: href, secrets }).catch(String);
  await expect.poll(outcome).toMatch(/ refuses the user .*was created with the password of this address\. Check wh/);
  expect(await outcome()).toMatch(/ refuses the user .*Check its password, which is left as it is/);
  await expect.poll(() => secureDatabase(ownerUrl, { secrets }).catch(String)).toMatch(/^postgresql:/);
});
