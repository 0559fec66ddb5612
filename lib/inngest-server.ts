import { createHmac, timingSafeEqual } from "node:crypto";

import ipaddr from "ipaddr.js";
import type { z } from "zod";

/** The settings that point at an Inngest server, self-hosted or cloud. */
export interface InngestSettings {
  INNGEST_BASE_URL?: string | undefined;
  INNGEST_DEV?: string | undefined;
  INNGEST_EVENT_KEY?: string | undefined;
  INNGEST_SIGNING_KEY?: string | undefined;
}

/** True when jobs run on an Inngest server, false when they run on the embedded engine. */
export function namesInngestServer(settings: InngestSettings): boolean {
  const { INNGEST_BASE_URL: address, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey } = settings;
  return Boolean(address || eventKey || signingKey || namesDevServer(settings));
}

/** True when that server is one for development, which signs nothing. As for the SDK, INNGEST_DEV may be "0" or "false". */
export function namesDevServer({ INNGEST_DEV: dev }: InngestSettings): boolean {
  return Boolean(dev && !["0", "false"].includes(dev.toLowerCase()));
}

/** The rules that span the INNGEST_* settings: both keys, or a development server on this very machine. */
export function checkInngestSettings(
  given: InngestSettings & { APP_URL: string; TRUST_PROXY: boolean },
  issue: Pick<z.RefinementCtx, "addIssue">,
): void {
  const say = (name: string, message: string) => issue.addIssue({ code: "custom", path: [name], message });
  if (!namesInngestServer(given)) return;
  if (given.INNGEST_BASE_URL && !/^https?:\/\/./.test(given.INNGEST_BASE_URL)) say("INNGEST_BASE_URL", "must begin with https:// or http://.");
  if (!namesDevServer(given)) {
    const missing = (["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"] as const).filter((name) => !given[name]);
    for (const name of missing) say(name, "is not set. An Inngest server needs INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY, both.");
    return;
  }
  if (given.INNGEST_SIGNING_KEY) say("INNGEST_DEV", "cannot be set beside INNGEST_SIGNING_KEY: no signature would be asked for.");
  if (given.TRUST_PROXY || !isLoopback(new URL(given.APP_URL).hostname)) {
    say("INNGEST_DEV", "is for development on one machine: APP_URL must be a localhost address then, and TRUST_PROXY unset.");
  }
}

/** Whether a host name or network address is this very machine. */
export function isLoopback(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/g, "");
  return address === "localhost" || (ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback");
}

/** What an Inngest server sends in `x-inngest-signature`: "t=1705586504&s=3f1c…". */
export interface InngestSignature {
  /** Seconds since 1970, as they were sent. */
  time: string;
  digest: Buffer;
}

const SIGNATURE = /^t=(\d{1,12})&s=([0-9a-f]{64})$/;
/** How far the server's clock and ours may be apart, and how long a request can be repeated. */
const VALID_MS = 5 * 60_000;

/** Null where there is none, and where it is older than five minutes or that far ahead. */
export function readSignature(header: string | null, now = Date.now()): InngestSignature | null {
  const [, time = "", digest = ""] = SIGNATURE.exec(header ?? "") ?? [];
  return time !== "" && Math.abs(now - Number(time) * 1000) <= VALID_MS ? { time, digest: Buffer.from(digest, "hex") } : null;
}

/** Whether a body was signed by one of the keys: HMAC-SHA256 of its bytes and the time, under the key as text without its prefix (Inngest's SDK_SPEC.md §4.1.3). */
export function isSignedBy(keys: readonly (string | undefined)[], { time, digest }: InngestSignature, body: Uint8Array): boolean {
  return keys.some((key) => {
    const secret = key?.replace(/^signkey-\w+-/, "");
    return Boolean(secret) && timingSafeEqual(createHmac("sha256", String(secret)).update(body).update(time).digest(), digest);
  });
}
