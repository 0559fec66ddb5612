import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

import { env } from "@/lib/env";
import { isLocalhost } from "@/lib/outbound/resolve-host";

const NOT_PUBLIC = "The address does not lead to a host on the public internet.";

const PUBLIC_PORTS = new Set(["", "443", "8443"]);

/** An address given by a user that we do not call. The message is a sentence for the user. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Throws {@link AddressRefused} unless an address given by a user keeps the rules: https, no credentials, port 443 or
 * 8443, and a host that can be public. ALLOW_PRIVATE_NETWORK also allows http and any port. The addresses of a host
 * name are checked when it is dialled.
 */
export function assertOutboundUrl(url: URL, allowPrivate = env.ALLOW_PRIVATE_NETWORK): void {
  if (url.username || url.password) throw new AddressRefused("The address must not contain a user name or password.");
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    throw new AddressRefused("The address must begin with https://.");
  assertHost(url.hostname.replaceAll(/^\[|\]$|\.$/g, ""), allowPrivate);
  if (!allowPrivate && !PUBLIC_PORTS.has(url.port)) throw new AddressRefused("The address must use port 443 or 8443.");
}

function assertHost(host: string, allowPrivate: boolean): void {
  if (isIP(host)) assertPublicAddress(host, allowPrivate);
  else if (!allowPrivate && isLocalhost(host)) throw new AddressRefused(NOT_PUBLIC);
}

export function assertPublicAddress(address: string, allowPrivate: boolean): void {
  if (!isAllowedAddress(address, allowPrivate)) throw new AddressRefused(NOT_PUBLIC);
}

const PUBLIC_RANGES = new Set(["unicast"]);

const DEVELOPMENT_RANGES = new Set(["unicast", "loopback", "private", "uniqueLocal"]);

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/**
 * Addresses that only a cloud's own machines can reach, although their range does not say so: some look public, and
 * some serve metadata in networks that development may call. Other such addresses are in refused ranges:
 * 169.254.169.254, Alibaba's 100.100.100.200, Oracle's 192.0.0.192.
 */
const CLOUD_INTERNAL = [
  "168.63.129.16/32", // Azure: wire server and DNS
  "161.26.0.0/16", // IBM Cloud: services of its infrastructure
  "166.8.0.0/14", // IBM Cloud: private endpoints of its services
  "fd00:ec2::/32", // AWS: metadata and pod identities
  "fd20:ce::254/128", // Google Cloud: metadata
  "fd00:c1::a9fe:a9fe/128", // Oracle Cloud: metadata
  "fd00:42::42/128", // Scaleway: metadata
].map((cidr) => ipaddr.parseCIDR(cidr));

/**
 * Whether an address that a user gave, or that a host name resolves to, may be dialled. `allowPrivate` adds this
 * machine and private networks.
 */
function isAllowedAddress(given: string, allowPrivate: boolean): boolean {
  const address = ipaddr.process(given);
  const range = address.range();
  if (!(allowPrivate ? DEVELOPMENT_RANGES : PUBLIC_RANGES).has(range)) return false;
  // No other unicast IPv6 addresses are assigned. IPv4-compatible ones are outside too (RFC 4291 §2.4 and §2.5.5.1).
  if (address.kind() === "ipv6" && range === "unicast" && !address.match(GLOBAL_UNICAST)) return false;
  return !CLOUD_INTERNAL.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
