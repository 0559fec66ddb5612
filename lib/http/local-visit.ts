import ipaddr from "ipaddr.js";

import { env } from "@/lib/env";
import { clientAddress } from "@/lib/http/client-address";

/**
 * Whether a request comes from a browser on the machine of the service, and the service is meant for that machine. Behind a proxy nothing
 * can be told from the connection, and a service with a public APP_URL has one, so both count as "elsewhere".
 */
export function isLocalVisit(headers: Headers): boolean {
  return !env.TRUST_PROXY && isLoopback(new URL(env.APP_URL).hostname.replaceAll(/^\[|\]$/g, "")) && isLoopback(clientAddress(headers));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || (ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback");
}
