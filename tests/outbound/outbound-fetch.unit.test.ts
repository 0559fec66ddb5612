import { gzipSync } from "node:zlib";

import { afterEach, describe, expect, test } from "vitest";

import { AddressRefused, assertOutboundUrl } from "@/lib/outbound/address-rules";
import { outboundFetch, readBoundedText } from "@/lib/outbound/outbound-fetch";
import { startHost, stopHosts } from "@/tests/support/hosts";

afterEach(stopHosts);

describe("an address that is not public is not dialled, however it is spelled:", () => {
  test.each([
    "https://127.0.0.1",
    "https://127.1",
    "https://2130706433",
    "https://0x7f000001",
    "https://0177.0.0.1",
    "https://0.0.0.0",
    "https://[::1]",
    "https://[::]",
    "https://[::ffff:127.0.0.1]",
    "https://[::ffff:7f00:1]",
    "https://[64:ff9b::7f00:1]",
    "https://[2002:7f00:1::]",
    "https://[fd00::1]",
    "https://[fe80::1]",
    "https://10.0.0.1",
    "https://172.16.0.1",
    "https://192.168.1.1:8443",
    "https://100.64.0.1",
    "https://169.254.169.254/latest/meta-data/",
    "https://192.0.2.1",
    "https://224.0.0.1",
    "https://255.255.255.255",
    "https://localhost",
  ])("%s", async (url) => {
    await expect(outboundFetch(url, {}, false)).rejects.toThrow(AddressRefused);
  });
});

describe("an address that breaks the rules is refused before any lookup:", () => {
  test.each([
    ["http://acme.my.salesforce.com", /begin with https/],
    ["ftp://acme.my.salesforce.com", /begin with https/],
    ["file:///etc/passwd", /begin with https/],
    ["https://user@acme.my.salesforce.com", /user name or password/],
    ["https://:secret@acme.my.salesforce.com", /user name or password/],
    ["https://acme.my.salesforce.com:22", /port 443 or 8443/],
  ])("%s", (url, says) => {
    expect(() => assertOutboundUrl(new URL(url), false)).toThrow(says);
  });

  test.each([
    "https://acme.my.salesforce.com",
    "https://acme.my.salesforce.com:8443",
    "https://ACME.my.salesforce.com:443/path",
  ])("but not %s", (url) => {
    expect(() => assertOutboundUrl(new URL(url), false)).not.toThrow();
  });
});

describe("where private networks are allowed,", () => {
  test("a host of this machine answers, by address and by name", async () => {
    const url = await startHost((_request, answer) => answer.end("hello"));
    expect(await readBoundedText(await outboundFetch(url, {}, true), 100)).toBe("hello");
    expect(await readBoundedText(await outboundFetch(url.replace("127.0.0.1", "localhost"), {}, true), 100)).toBe(
      "hello",
    );
  });

  test.each(["http://169.254.169.254/latest/meta-data/", "http://0.0.0.0", "http://[fe80::1]", "http://224.0.0.1"])(
    "%s is not dialled",
    async (url) => {
      await expect(outboundFetch(url, {}, true)).rejects.toThrow(AddressRefused);
    },
  );

  test("a call that may not use them does not share the connection of one that may", async () => {
    const url = await startHost((_request, answer) => answer.end("hello"));
    await readBoundedText(await outboundFetch(url, {}, true), 100);
    await expect(outboundFetch(url, {}, false)).rejects.toThrow(AddressRefused);
  });
});

test("a redirect is returned, not followed", async () => {
  const visited: (string | undefined)[] = [];
  const url = await startHost((request, answer) => {
    visited.push(request.url);
    answer.writeHead(302, { location: "/elsewhere" }).end();
  });
  const response = await outboundFetch(url, {}, true);
  await readBoundedText(response, 100);
  expect([response.status, visited]).toEqual([302, ["/"]]);
});

test("a body that is too large is not read to its end, even if it was small when compressed", async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  expect(bomb.byteLength).toBeLessThan(10_000);
  const url = await startHost((_request, answer) => answer.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
  const response = await outboundFetch(url, {}, true);
  await expect(readBoundedText(response, 100_000)).rejects.toThrow("It has more than 98 KiB.");
});
