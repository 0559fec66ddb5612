import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

import ipaddr from "ipaddr.js";

/** For a name, whatever its name servers do: what waits for it has a time of its own, of which this is a part. */
const LOOKUP_TIMEOUT_MS = 5000;

/**
 * For the addresses of the other family, once those of one are there (RFC 8305 §3): some name servers say nothing when
 * asked for AAAA.
 */
const SECOND_FAMILY_TIMEOUT_MS = 300;

/** How long one name server has at first, and how often each is asked. */
const RESOLVER_OPTIONS = { timeout: 2000, tries: 2 } as const;

/** Names of this very machine, whatever a resolver says (RFC 6761 §6.3). */
const LOCALHOST = /(?:^|\.)localhost$/;

const LOOPBACK = ["127.0.0.1", "::1"];

const HOSTS_FILE = "/etc/hosts";

/** What says that there is nothing, rather than that nobody knows. */
const NO_SUCH_NAME = new Set<unknown>(["ENOTFOUND", "ENODATA", "EBADNAME"]);

/**
 * Why a name led to no address: there is none (ENOTFOUND), or it could not be found out (EAI_AGAIN). The codes are
 * those of getaddrinfo.
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

/**
 * Has names looked up elsewhere than this machine does, from now on; `undefined` for where it does. Tests have servers
 * of their own.
 */
export function useNameServers(servers: readonly string[] | undefined): void {
  nameServers = servers;
}

/**
 * The addresses of a name, IPv4 first; whoever asks for a name that is being looked up gets that answer. c-ares asks
 * the name servers, since getaddrinfo has four threads for the whole process, and a name whose servers keep silent
 * holds one for many seconds. `ownNames`: the names that this machine gives by itself, localhost and those of its hosts
 * file, count too. Throws ENOTFOUND or EAI_AGAIN.
 */
export async function resolveHost(host: string, ownNames: boolean): Promise<string[]> {
  const name = host.toLowerCase().replace(/\.$/, "");
  const own = ownNames ? await localAddresses(name) : [];
  if (own.length > 0) return own;
  const asked = lookupsInFlight.get(name) ?? lookUp(name).finally(() => lookupsInFlight.delete(name));
  lookupsInFlight.set(name, asked);
  return asked;
}

async function lookUp(name: string): Promise<string[]> {
  // One for each look-up: it knows the machine's servers of now, and what it asks can be called off.
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
  const isNothing = answers.every(
    (answer) => answer.status === "fulfilled" || NO_SUCH_NAME.has((answer.reason as NodeJS.ErrnoException).code),
  );
  throw new ResolutionError(name, isNothing ? "ENOTFOUND" : "EAI_AGAIN");
}

async function localAddresses(name: string): Promise<string[]> {
  if (isLocalhost(name)) return LOOPBACK;
  return addressesInHosts(await readFile(HOSTS_FILE, "utf8").catch(() => ""), name);
}

/** What a hosts file (hosts(5)) says of a name, in lower case. */
export function addressesInHosts(hosts: string, name: string): string[] {
  const lines = hosts.split("\n").map((line) => line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/));
  return lines.flatMap(([address, ...names]) =>
    address && ipaddr.isValid(address) && names.includes(name) ? [address] : [],
  );
}
