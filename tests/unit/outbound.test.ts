import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, test } from "vitest";

import { AddressRefused, outboundFetch, readText } from "@/lib/outbound";

describe("an address that is not on the public internet is not dialled:", () => {
  test.each([
    "https://127.0.0.1",
    "https://localhost",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://2130706433",
    "https://0x7f000001",
    "https://0177.0.0.1",
    "https://0.0.0.0",
    "https://10.0.0.1",
    "https://172.16.0.1",
    "https://192.168.1.1:8443",
    "https://169.254.169.254",
    "https://100.64.0.1",
    "https://[fd00::1]",
    "https://[fe80::1]",
    "https://[64:ff9b::7f00:1]",
    "https://[2002:7f00:1::]",
  ])("%s", async (url) => expect(outboundFetch(url, {}, false)).rejects.toBeInstanceOf(AddressRefused));
});

describe("an address that breaks the rules is refused before anything is looked up:", () => {
  test.each(["http://example.com", "https://user@example.com", "https://user:secret@example.com", "https://example.com:22", "ftp://example.com"])(
    "%s",
    async (url) => expect(outboundFetch(url, {}, false)).rejects.toBeInstanceOf(AddressRefused),
  );
});

test("the metadata service of clouds stays out of reach even where private networks are allowed", async () => {
  await expect(outboundFetch("http://169.254.169.254/latest/meta-data", {}, true)).rejects.toBeInstanceOf(AddressRefused);
});

async function withServer(answer: Parameters<typeof createServer>[1], work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("where private networks are allowed,", () => {
  test("a loopback server answers, by address and by name", () =>
    withServer(
      (_request, response) => response.end("hello"),
      async (url) => {
        expect(await readText(await outboundFetch(url, {}, true), 100)).toBe("hello");
        expect(await readText(await outboundFetch(url.replace("127.0.0.1", "localhost"), {}, true), 100)).toBe("hello");
      },
    ));

  test("a redirect is an answer", () =>
    withServer(
      (_request, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      async (url) => expect((await outboundFetch(url, {}, true)).status).toBe(302),
    ));

  test("a body that is larger than allowed is not read to its end", () =>
    withServer(
      (_request, response) => response.end("x".repeat(1_000_000)),
      async (url) => {
        const response = await outboundFetch(url, {}, true);
        await expect(readText(response, 1000)).rejects.toBeInstanceOf(RangeError);
      },
    ));
});
