import { type AddressInfo, createServer, type Server } from "node:net";

import { Agent, fetch } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { env } from "@/lib/env";
import { resolveHost } from "@/lib/outbound/resolve-host";
import { send } from "@/lib/webhooks/sending/send";
import { NameServer } from "@/tests/support/name-server";
import { pool } from "@/tests/support/owner";

import { type Caller, clientOf } from "@/tests/webhooks/support/call-webhooks";

/** A host of this machine, and whoever listens there. */
const [A, B, C] = [1, 2, 3].map(() => 1 + Math.floor(Math.random() * 250)) as [number, number, number];
const HOST = `127.${A}.${B}.${C}`;
const NUMBER = ((127 * 256 + A) * 256 + B) * 256 + C;
const HEX = NUMBER.toString(16);
const [UPPER, LOWER] = [HEX.slice(0, 4), HEX.slice(4)];

let connections = 0;
const server: Server = createServer((socket) => {
  connections += 1;
  socket.on("error", () => undefined).end("HTTP/1.1 200 OK\r\n\r\n");
});
await new Promise<void>((done, failed) => void server.once("error", failed).listen(0, HOST, done));
const PORT = (server.address() as AddressInfo).port;

let admin: Caller;

beforeAll(async () => {
  // The service as it runs in production.
  env.ALLOW_PRIVATE_NETWORK = false;
  admin = await clientOf();
});

beforeEach(() => void (connections = 0));
afterAll(() => void server.close());

const NOT_PUBLIC = "The address does not lead to a host on the public internet.";

/** What a delivery to an address comes to, and what a registration of it. */
async function probe(url: string) {
  const attempt = await send({ url, secrets: [], id: "x", body: "{}" });
  const { status, body } = await admin.call("POST", "/webhooks", { url, events: ["*"] });
  return { attempt, registered: [status, body.errors?.[0]?.pointer, body.errors?.[0]?.detail] };
}

/** Where undici itself would dial for an address: what the guard stands before. */
async function unguarded(url: string): Promise<string> {
  let dialled = "";
  const connect: Agent.Options["connect"] = ({ hostname }, callback) => {
    dialled = hostname;
    callback(new Error("not dialled"), null);
  };
  await fetch(url, { dispatcher: new Agent({ connect }) }).catch(() => undefined);
  return dialled;
}

/** Whether a plain request gets as far as the server, by the address that its name leads to where it has one. */
async function reaches(url: string): Promise<boolean> {
  const { hostname } = new URL(url);
  const [address = ""] = /[a-z]/.test(hostname) && !hostname.startsWith("[") ? await resolveHost(hostname, false) : [];
  const connect: Agent.Options["connect"] = address
    ? { lookup: (_name, _options, answer) => answer(null, [{ address, family: 4 }]) }
    : {};
  await fetch(url, { dispatcher: new Agent({ connect }) }).catch(() => undefined);
  const arrived = connections > 0;
  connections = 0;
  return arrived;
}

test("private addresses are not allowed in this file", () => {
  expect(env.ALLOW_PRIVATE_NETWORK).toBe(false);
});

describe("a spelling of this machine's address is refused when set and when dialled; unguarded it works:", () => {
  test.each([
    `https://${HOST}:${PORT}`,
    `https://${HOST}.:${PORT}`,
    `https://${NUMBER}:${PORT}`,
    `https://0x${HEX}:${PORT}`,
    `https://0${NUMBER.toString(8)}:${PORT}`,
    `https://0x7f.0x${A.toString(16)}.${B}.0${C.toString(8)}:${PORT}`,
    `https://0177.${A}.${B}.${C}:${PORT}`,
    `https://127.${A}.${B * 256 + C}:${PORT}`,
    `https://127.${(A * 256 + B) * 256 + C}:${PORT}`,
    `https://１２７.${A}.${B}.${C}:${PORT}`,
    `https://127。${A}。${B}。${C}:${PORT}`,
    `https://①②⑦.${A}.${B}.${C}:${PORT}`,
    `https://%31%32%37.${A}.${B}.${C}:${PORT}`,
    `https://[::ffff:${HOST}]:${PORT}`,
    `https://[::ffff:${UPPER}:${LOWER}]:${PORT}`,
    `https://[0:0:0:0:0:ffff:${HOST}]:${PORT}`,
    `https://${HOST}:${PORT}/#@example.com`,
  ])("%s", async (url) => {
    expect(await reaches(url)).toBe(true);
    const { attempt, registered } = await probe(url);
    expect([attempt.error, attempt.status, connections]).toEqual([NOT_PUBLIC, null, 0]);
    expect(registered).toEqual([400, "/url", NOT_PUBLIC]);
  });
});

describe("an address of no public host is refused when set and when dialled; unguarded it is dialled:", () => {
  test.each([
    ["https://0.0.0.0", "0.0.0.0"],
    ["https://0", "0.0.0.0"],
    ["https://10.0.0.1", "10.0.0.1"],
    ["https://172.31.255.254", "172.31.255.254"],
    ["https://192.168.1.1", "192.168.1.1"],
    ["https://100.64.0.1", "100.64.0.1"],
    ["https://100.100.100.200/latest/meta-data/", "100.100.100.200"],
    ["https://168.63.129.16/machine?comp=goalstate", "168.63.129.16"],
    ["https://2822734096", "168.63.129.16"],
    ["https://[::ffff:168.63.129.16]", "::ffff:a83f:8110"],
    ["https://161.26.0.10", "161.26.0.10"],
    ["https://166.11.255.255", "166.11.255.255"],
    ["https://169.254.169.254/latest/meta-data/", "169.254.169.254"],
    ["https://2852039166/latest/meta-data/", "169.254.169.254"],
    ["https://192.0.0.192", "192.0.0.192"],
    ["https://192.0.2.1", "192.0.2.1"],
    ["https://198.51.100.1", "198.51.100.1"],
    ["https://203.0.113.1", "203.0.113.1"],
    ["https://198.18.0.1", "198.18.0.1"],
    ["https://224.0.0.1", "224.0.0.1"],
    ["https://240.0.0.1", "240.0.0.1"],
    ["https://255.255.255.255", "255.255.255.255"],
    ["https://[::]", "::"],
    ["https://[::1]", "::1"],
    ["https://[::127.0.0.1]", "::7f00:1"],
    ["https://[::a9fe:a9fe]", "::a9fe:a9fe"],
    ["https://[::ffff:0:127.0.0.1]", "::ffff:0:7f00:1"],
    ["https://[64:ff9b::127.0.0.1]", "64:ff9b::7f00:1"],
    ["https://[64:ff9b:1::a9fe:a9fe]", "64:ff9b:1::a9fe:a9fe"],
    ["https://[2002:7f00:1::]", "2002:7f00:1::"],
    ["https://[2001:0:7f00:1::]", "2001:0:7f00:1::"],
    ["https://[fd00:ec2::254]", "fd00:ec2::254"],
    ["https://[fe80::1]", "fe80::1"],
    ["https://[fec0::1]", "fec0::1"],
    ["https://[ff02::1]", "ff02::1"],
    ["https://[2001:db8::1]", "2001:db8::1"],
    ["https://[100::1]", "100::1"],
    ["https://[4000::1]", "4000::1"],
    ["https://localhost", "localhost"],
    ["https://LOCALHOST.:8443", "localhost."],
    ["https://ⓛocalhost", "localhost"],
    ["https://any.thing.localhost", "any.thing.localhost"],
  ])("%s", async (url, target) => {
    expect(await unguarded(url)).toBe(target);
    const { attempt, registered } = await probe(url);
    expect([attempt.error, attempt.status]).toEqual([NOT_PUBLIC, null]);
    expect(registered).toEqual([400, "/url", NOT_PUBLIC]);
  });
});

describe("an address that breaks the rules is refused, whatever it leads to:", () => {
  const CREDENTIALS = "The address must not contain a user name or password.";
  const SCHEME = "The address must begin with https://.";
  const WRONG_PORT = "The address must use port 443 or 8443.";

  test.each([
    [`http://${HOST}:${PORT}`, SCHEME],
    ["http://example.com", SCHEME],
    ["ftp://example.com", SCHEME],
    ["file:///etc/passwd", SCHEME],
    ["gopher://example.com:6379/_INFO", SCHEME],
    ["data:text/plain,x", SCHEME],
    [`https://example.com@${HOST}:${PORT}`, CREDENTIALS],
    [`https://:secret@${HOST}:${PORT}`, CREDENTIALS],
    [`https://${HOST}%2f@example.com`, CREDENTIALS],
    ["https://example.com:22", WRONG_PORT],
    ["https://example.com:25", WRONG_PORT],
    ["https://example.com:6379", WRONG_PORT],
    ["https://example.com:80", WRONG_PORT],
  ])("%s", async (url, sentence) => {
    const { attempt, registered } = await probe(url);
    expect([attempt.error, attempt.status, connections]).toEqual([sentence, null, 0]);
    expect(registered).toEqual([400, "/url", sentence]);
  });

  test.each([
    `https://${HOST}\\@example.com`,
    "https://256.0.0.1",
    "//example.com",
    "https://",
    "https:///example.com",
    "https:example.com",
    " https://example.com",
  ])("%j is not an address", async (url) => {
    const { status, body } = await admin.call("POST", "/webhooks", { url, events: ["*"] });
    expect([status, body.errors[0]?.detail]).toEqual([400, expect.stringContaining("not an address")]);
  });

  test.each([
    ["a tab", `https://example.com\t.${HOST}`],
    ["a zero-width space", "https://exam\u200bple.com/hooks"],
    ["a zero-width joiner", "https://example.com/ho\u200doks"],
    ["a word joiner", "https://example.com/hooks\u2060"],
    ["a byte order mark", "\ufeffhttps://example.com/hooks"],
    ["what turns text around", "https://example.com/\u202eskooh"],
    ["a soft hyphen", "https://example.com/ho\u00adoks"],
  ])("one with %s says that it cannot be seen", async (_what, url) => {
    const { status, body } = await admin.call("POST", "/webhooks", { url, events: ["*"] });
    expect([status, body.errors]).toMatchObject([
      400,
      [{ pointer: "/url", code: "invalid_format", detail: expect.stringContaining("invisible") }],
    ]);
  });
});

describe("what a name leads to is decided when it is dialled:", () => {
  test.each([
    ["a private address", [[HOST]]],
    ["a private address beside a public one", [["93.184.215.14", HOST]]],
    ["an IPv4-mapped address", [[`::ffff:${HOST}`]]],
    ["the metadata address", [["169.254.169.254"]]],
    ["an address that only machines of a cloud reach", [["168.63.129.16"]]],
    ["a unique local address", [["fd00:ec2::254"]]],
  ])("one that leads to %s is not", async (_, answers) => {
    await using _names = await NameServer.start({ "inside.example": answers });
    const attempt = await send({ url: "https://inside.example", secrets: [], id: "x", body: "{}" });
    expect([attempt.error, attempt.status]).toEqual([NOT_PUBLIC, null]);
  });

  test("without the guard that name gets through to this machine", async () => {
    await using _names = await NameServer.start({ "inside.example": [[HOST]] });
    expect(await reaches(`https://inside.example:${PORT}`)).toBe(true);
  });

  test("one that is public when it is registered, and private when it is dialled, is not", async () => {
    await using _names = await NameServer.start({ "rebinding.example": [["93.184.215.14"], [HOST]] });
    const url = "https://rebinding.example";
    expect((await admin.call("POST", "/webhooks", { url, events: ["*"] })).status).toBe(201);
    expect(await resolveHost("rebinding.example", false)).toEqual(["93.184.215.14"]);
    const attempt = await send({ url, secrets: [], id: "x", body: "{}" });
    expect([attempt.error, attempt.status]).toEqual([NOT_PUBLIC, null]);
  });

  test("an address that was stored before there was the rule is not dialled either", async () => {
    const { body } = await admin.call("POST", "/webhooks", { url: "https://example.com", events: ["*"] });
    const { rows } = await pool().query<{ url: string }>("UPDATE webhooks SET url = $2 WHERE id = $1 RETURNING url", [
      body.id,
      `https://${HOST}:${PORT}`,
    ]);
    expect(await send({ url: rows[0]?.url ?? "", secrets: [], id: "x", body: "{}" })).toMatchObject({
      error: NOT_PUBLIC,
    });
    expect(connections).toBe(0);
    expect((await admin.call("PATCH", `/webhooks/${body.id}`, { url: `https://${HOST}:${PORT}` })).status).toBe(400);
  });
});
