import { env } from "@/lib/env";
import type { AddressRefused } from "@/lib/outbound";

/** "localhost", names below it, 127.0.0.0/8 and ::1 (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const LOOPBACK = /(?:^|\.)localhost$|^127\.|^\[::1\]$/;

/** Why an address is refused. One of this very machine can be allowed, as development and tests need. */
export function refusedAddress({ message }: AddressRefused, { hostname }: URL, allowed = env.ALLOW_PRIVATE_NETWORK): string {
  if (allowed || !LOOPBACK.test(hostname)) return message;
  return `${message} For whoever runs this service: ALLOW_PRIVATE_NETWORK=true allows addresses of this machine in development.`;
}
