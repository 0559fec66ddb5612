import { once } from "node:events";
import { createServer, IncomingMessage } from "node:http";
import { connect, Socket } from "node:net";

import { expect, test } from "vitest";

import { clientAddress, onResponseSent } from "@/lib/http/request";
import {
  closeIfBodyUnread,
  setClientAddress,
  removeRouterHeaders,
  assignRequestId,
  sendHeadWithBody,
} from "@/scripts/service/web/web-request";
import { listen } from "@/tests/support/hosts";

/** The client address that limits use for a request from `connection`. */
function addressOf(headers: Record<string, string>, behindProxy: boolean, connection = "198.51.100.1"): string {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: connection });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  setClientAddress(request, behindProxy);
  return clientAddress(new Headers(request.headers as Record<string, string>));
}

test("without a proxy, the address is the connection's, whatever the client says", () => {
  expect(addressOf({ "x-forwarded-for": "203.0.113.1", forwarded: "for=203.0.113.1" }, false)).toBe("198.51.100.1");
  expect(addressOf({}, false)).toBe("198.51.100.1");
});

test("behind a proxy, the address is the one that the proxy has added", () => {
  expect(addressOf({ "x-forwarded-for": "203.0.113.1, 192.0.2.7" }, true)).toBe("192.0.2.7");
});

test.each([
  ["192.0.2.7:51234", "192.0.2.7"],
  ["[2001:db8::7]:51234", "2001:db8::7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["2001:db8::7", "2001:db8::7"],
  ["unknown:51234", "unknown:51234"],
])(
  "what a proxy has added as %s is the address %s: a port would give each connection limits of its own",
  (sent, address) => {
    expect(addressOf({ "x-forwarded-for": `203.0.113.1, ${sent}` }, true)).toBe(address);
  },
);

test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])(
  "a request from this machine (%s) has that address, unless its headers say that it was forwarded",
  (here) => {
    expect(addressOf({}, false, here)).toBe(here);
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host", "x-forwarded-proto"]) {
      expect(addressOf({ [name]: "127.0.0.1" }, false, here)).toBe("unknown");
    }
  },
);

/** The headers of a router and server action request to `url` that Next receives. */
function headersLeft(url: string): string[] {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url, headers: { "next-action": "7f", rsc: "1" } });
  removeRouterHeaders(request);
  return Object.keys(request.headers);
}

test("Next receives no header of a server action, and on the API none of its router", () => {
  expect(headersLeft("/sign-in")).toEqual(["rsc"]);
  expect(headersLeft("/api/v1/accounts")).toEqual([]);
});

test("headers are sent together with the body, and a large body arrives whole", async () => {
  const LARGE = 1_000_000;
  await using server = createServer((request, response) => {
    sendHeadWithBody(request, response);
    response.flushHeaders();
    if (request.url !== "/large" || response.write("x".repeat(LARGE))) response.end("end");
    else response.once("drain", () => response.end("end"));
  });
  const origin = await listen(server);
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  socket.write("GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*end/s);
  socket.destroy();
  expect((await (await fetch(`${origin}/large`)).text()).length).toBe(LARGE + "end".length);
});

/** Reads at most so many parts of a body, and cancels what is left, as route handlers do. */
async function readParts(request: IncomingMessage, count: number): Promise<void> {
  let read = 0;
  for await (const part of request) if (part && ++read === count) return;
}

test("an answer to a request that is not read to its end says that the connection is closed", async () => {
  await using server = createServer((request, response) => {
    closeIfBodyUnread(request, response);
    sendHeadWithBody(request, response);
    void readParts(request, request.url === "/unread" ? 1 : Infinity).then(() => response.end("answer"));
  });
  const { port } = new URL(await listen(server));
  const answerTo = async (path: string, sent: number) => {
    await using socket = connect(Number(port), "127.0.0.1");
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n${"x".repeat(sent)}`);
    return String(((await once(socket, "data")) as [Buffer])[0]);
  };
  expect(await answerTo("/unread", 2)).toMatch(/^connection: close\r\n/im);
  expect(await answerTo("/read", 5)).toMatch(/^connection: keep-alive\r\n/im);
});

test("an answer is in flight until its client has read it or disconnected, however long that takes", async () => {
  let sent = 0;
  await using server = createServer((request, response) => {
    const id = assignRequestId(request, response);
    sendHeadWithBody(request, response);
    response.end("x".repeat(50_000_000));
    onResponseSent(id, () => (sent += 1));
  });
  const origin = await listen(server);
  const unread = connect(Number(new URL(origin).port), "127.0.0.1");
  unread.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  // The answer is larger than the connection's buffers. Meanwhile another one is completed.
  await once(unread, "readable");
  await (await fetch(`${origin}/`)).text();
  await expect.poll(() => sent).toBe(1);
  unread.destroy();
  await expect.poll(() => sent).toBe(2);
});
