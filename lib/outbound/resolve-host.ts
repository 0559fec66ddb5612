import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

import ipaddr from "ipaddr.js";

/** The timeout for one name, whatever its name servers do. The caller's own timeout includes it. */
const LOOKUP_TIMEOUT_MS = 5000;

/**
 * Wait for the second address family once the first has answered (RFC 8305 §3): some name servers do not answer AAAA
 * queries.
 */
const SECOND_FAMILY_TIMEOUT_MS = 300;

/** The first timeout of a name server, and how often each is queried. */
const RESOLVER_OPTIONS = { timeout: 2000, tries: 2 } as const;

/** Names of this machine, whatever a resolver answers (RFC 6761 §6.3). */
const LOCALHOST = /(?:^|\.)localhost$/;

const LOOPBACK = ["127.0.0.1", "::1"];

const HOSTS_FILE = "/etc/hosts";

/** Codes that say there is no address, rather than that it could not be determined. */
const NO_SUCH_NAME = new Set<unknown>(["ENOTFOUND", "ENODATA", "EBADNAME"]);

/**
 * Why a name has no address: there is none (ENOTFOUND), or it could not be determined (EAI_AGAIN). The codes are those
 * of getaddrinfo.
 */
class ResolutionError extends Error {
  constructor(
    host: string,
    readonly code: "ENOTFOUND" | "EAI_AGAIN",
  ) {
    super(`${host}: ${code}`);
  }
}

export function isLocalhost(host: string): boolean {
  return LOCALHOST.test(host);
}

const lookupsInFlight = new Map<string, Promise<string[]>>();

let nameServers: readonly string[] | undefined;

/** Resolves names by other name servers from now on; `undefined` for the machine's. For tests. */
export function useNameServers(servers: readonly string[] | undefined): void {
  nameServers = servers;
}

/**
 * The addresses of a name, IPv4 first. Concurrent calls for a name share one lookup. It uses c-ares, because
 * getaddrinfo has four threads for the whole process, and a name whose servers do not answer blocks one for many
 * seconds. With `includeLocalNames`, localhost and the names of this machine's hosts file count too. Throws ENOTFOUND
 * or EAI_AGAIN.
 */
export async function resolveHost(host: string, includeLocalNames: boolean): Promise<string[]> {
  const name = host.toLowerCase().replace(/\.$/, "");
  const local = includeLocalNames ? await localAddresses(name) : [];
  if (local.length > 0) return local;
  const lookup = lookupsInFlight.get(name) ?? lookUp(name).finally(() => lookupsInFlight.delete(name));
  lookupsInFlight.set(name, lookup);
  return lookup;
}

async function lookUp(name: string): Promise<string[]> {
  // A resolver for each lookup: it reads the machine's current name servers, and its queries can be cancelled.
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (nameServers) resolver.setServers(nameServers);
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_TIMEOUT_MS);
  const families = [resolver.resolve4(name), resolver.resolve6(name)];
  const answered = Promise.allSettled(families);
  const enough = Promise.any(families).then(
    () => delay(SECOND_FAMILY_TIMEOUT_MS, undefined, { ref: false }),
    () => answered,
  );
  await Promise.race([answered, enough]);
  clearTimeout(timer);
  resolver.cancel();
  const answers = await answered;
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const isNoSuchName = answers.every(
    (answer) => answer.status === "fulfilled" || NO_SUCH_NAME.has((answer.reason as NodeJS.ErrnoException).code),
  );
  throw new ResolutionError(name, isNoSuchName ? "ENOTFOUND" : "EAI_AGAIN");
}

async function localAddresses(name: string): Promise<string[]> {
  if (isLocalhost(name)) return LOOPBACK;
  return addressesInHosts(await readFile(HOSTS_FILE, "utf8").catch(() => ""), name);
}

/** The addresses that a hosts file (hosts(5)) gives a name in lower case. */
export function addressesInHosts(hosts: string, name: string): string[] {
  const lines = hosts.split("\n").map((line) => line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/));
  return lines.flatMap(([address, ...names]) =>
    address && ipaddr.isValid(address) && names.includes(name) ? [address] : [],
  );
}
