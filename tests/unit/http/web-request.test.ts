import { IncomingMessage } from "node:http";
import { Socket } from "node:net";

import { expect, test } from "vitest";

import { clientAddress } from "@/lib/http/client-address";
import { claimAddress } from "@/scripts/service/web-request";

/** The address that limits count by, for a request that arrives from `connection`. */
function addressOf(headers: Record<string, string>, behindProxy: boolean, connection = "198.51.100.1"): string {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: connection });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  claimAddress(request, behindProxy);
  return clientAddress(new Headers(request.headers as Record<string, string>));
}

test("without a proxy, the address is the connection's, whatever the client says", () => {
  expect(addressOf({ "x-forwarded-for": "203.0.113.1", forwarded: "for=203.0.113.1" }, false)).toBe("198.51.100.1");
  expect(addressOf({}, false)).toBe("198.51.100.1");
});

test("behind a proxy, it is the one that the proxy has added", () => {
  expect(addressOf({ "x-forwarded-for": "203.0.113.1, 192.0.2.7" }, true)).toBe("192.0.2.7");
});

test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])(
  "a request from this machine (%s) comes from here, unless it says that somebody passed it on",
  (here) => {
    expect(addressOf({}, false, here)).toBe(here);
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host", "x-forwarded-proto"]) {
      expect(addressOf({ [name]: "127.0.0.1" }, false, here)).toBe("unknown");
    }
  },
);
