import { setTimeout as delay } from "node:timers/promises";

import { afterEach, describe, expect, test } from "vitest";

import { outboundFetch, readBoundedText } from "@/lib/outbound/outbound-fetch";
import { addressesInHosts, resolveHost } from "@/lib/outbound/resolve-host";
import { startHost, stopHosts } from "@/tests/support/hosts";
import { type Answers, NameServer } from "@/tests/support/name-server";

afterEach(stopHosts);

test("any number of names whose servers do not answer delay no others", async () => {
  const silent = Array.from({ length: 8 }, (_, n) => `silent-${n}.example`);
  const names: Record<string, Answers> = {
    "good.example": [["127.0.0.1"]],
    ...Object.fromEntries(silent.map((name) => [name, "silence"])),
  };
  await using server = await NameServer.start(names);
  const { port } = new URL(await startHost((_request, answer) => answer.end("hello")));
  let ended = 0;
  const hanging = silent.map((name) => outboundFetch(`http://${name}:${port}`, {}, true).finally(() => (ended += 1)));
  const failures = Promise.allSettled(hanging);
  await expect.poll(() => server.asked.filter((asked) => asked.startsWith("A silent-"))).toHaveLength(silent.length);
  expect(await readBoundedText(await outboundFetch(`http://good.example:${port}`, {}, true), 100)).toBe("hello");
  expect(ended).toBe(0);
  expect((await failures).map(({ status }) => status)).toEqual(silent.map(() => "rejected"));
});

test("concurrent lookups of a name are shared, later ones are new", async () => {
  await using server = await NameServer.start({ "hooks.example": [["93.184.215.14"], ["93.184.215.15"]] });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => resolveHost(n % 2 ? "hooks.example" : "HOOKS.example.", false)),
  );
  expect(new Set(answers.flat())).toEqual(new Set(["93.184.215.14"]));
  expect(server.asked.toSorted()).toEqual(["A hooks.example", "AAAA hooks.example"]);
  expect(await resolveHost("hooks.example", false)).toEqual(["93.184.215.15"]);
});

test("addresses are of both families, IPv4 first", async () => {
  await using _server = await NameServer.start({
    "hooks.example": [["2606:2800:21f::1", "93.184.215.14"]],
    "six.example": [["2606:2800:21f::1"]],
  });
  expect(await resolveHost("hooks.example", false)).toEqual(["93.184.215.14", "2606:2800:21f::1"]);
  expect(await resolveHost("six.example", false)).toEqual(["2606:2800:21f::1"]);
});

test("a name server that does not answer AAAA queries does not delay its other answers", async () => {
  await using server = await NameServer.start({ "hooks.example": { silentOnAaaa: ["93.184.215.14"] } });
  // c-ares would have repeated the query, and been cancelled after five seconds.
  expect(await Promise.race([resolveHost("hooks.example", false), delay(4000, "still waiting")])).toEqual([
    "93.184.215.14",
  ]);
  expect(server.asked.toSorted()).toEqual(["A hooks.example", "AAAA hooks.example"]);
});

test("a name that does not exist is distinguished from one that cannot be looked up", async () => {
  await using _server = await NameServer.start({ "empty.example": [[]], "silent.example": "silence" });
  await expect(resolveHost("missing.example", false)).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(resolveHost("empty.example", false)).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(resolveHost("silent.example", false)).rejects.toMatchObject({ code: "EAI_AGAIN" });
});

describe("names of this machine itself", () => {
  test("lead to it where private networks are allowed, without a query", async () => {
    await using server = await NameServer.start({});
    expect(await resolveHost("localhost", true)).toEqual(["127.0.0.1", "::1"]);
    expect(await resolveHost("crm.localhost.", true)).toEqual(["127.0.0.1", "::1"]);
    expect(server.asked).toEqual([]);
  });

  test("are also read from its hosts file, line by line", () => {
    const hosts =
      "127.0.0.1 localhost\n# 10.0.0.1 receiver\n\t10.0.0.2\tReceiver receiver.test # of ours\n\nfd00::2 " +
      "receiver\nnonsense receiver\n";
    expect(addressesInHosts(hosts, "receiver")).toEqual(["10.0.0.2", "fd00::2"]);
    expect(addressesInHosts(hosts, "receiver.test")).toEqual(["10.0.0.2"]);
    expect(addressesInHosts(hosts, "10.0.0.2")).toEqual([]);
  });

  test("are ordinary names where they are not", async () => {
    await using server = await NameServer.start({ localhost: [["93.184.215.14"]] });
    expect(await resolveHost("localhost", false)).toEqual(["93.184.215.14"]);
    expect(server.asked).toContain("A localhost");
  });
});
