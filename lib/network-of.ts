import ipaddr from "ipaddr.js";

/** Who holds one IPv6 address usually holds the 2^64 beside it. */
const IPV6_PREFIX_PARTS = 4;

/** What limits count by for a network address: an IPv4 address itself, of an IPv6 address its /64. Anything else is left as it is. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!("parts" in parsed)) return parsed.toString();
  return `${parsed.parts
    .slice(0, IPV6_PREFIX_PARTS)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
