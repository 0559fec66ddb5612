import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { AddressRefused, assertOutboundUrl } from "@/lib/outbound/address-rules";

/** Hosts of an org that serve pages instead of the API. Its My Domain host begins with the same labels. */
const PAGE_HOSTS: [suffix: string, api: string][] = [
  [".lightning.force.com", ".my.salesforce.com"],
  [".my.salesforce-setup.com", ".my.salesforce.com"],
];

const SIGN_IN_HOSTS = new Set([
  "login.salesforce.com",
  "test.salesforce.com",
  "welcome.salesforce.com",
  "www.salesforce.com",
  "salesforce.com",
]);

/** Hosts of Salesforce: the commercial clouds, and the one of the US military. */
const SALESFORCE_HOST = /\.salesforce\.(?:com|mil)$/;

const MAX_SHOWN_LENGTH = 80;

const LOOKS = "looks like https://acme.my.salesforce.com (Setup › My Domain).";

const EXAMPLE = `It ${LOOKS}`;

/**
 * The origin of a Salesforce org from a pasted address, with or without scheme and path, in any case. The addresses of
 * Lightning and Setup pages become the My Domain of the org. Throws `source_url_invalid` with what to enter instead.
 */
export function instanceOrigin(given: string): string {
  const url = parseAddress(given);
  if (SIGN_IN_HOSTS.has(url.hostname)) {
    throw invalid(`${url.hostname} is where everybody signs in, not the address of your Salesforce org. ${EXAMPLE}`);
  }
  url.hostname = apiHost(url.hostname);
  return url.origin;
}

/**
 * The origin for a sign-in: login.salesforce.com, test.salesforce.com for sandboxes, or the My Domain of the org. No
 * other host is allowed, because the client secret of this service is sent there. With ALLOW_PRIVATE_NETWORK any host
 * is allowed, for sandbox orgs.
 */
export function loginOrigin(given: string, allowAnyHost = env.ALLOW_PRIVATE_NETWORK): string {
  const url = parseAddress(given, "/login_url");
  url.hostname = apiHost(url.hostname);
  if (allowAnyHost || SALESFORCE_HOST.test(url.hostname)) return url.origin;
  const detail =
    `${url.hostname} is not a host of Salesforce. Sign in at login.salesforce.com, at test.salesforce.com, or at ` +
    "your org's My Domain.";
  throw invalid(`${detail} ${EXAMPLE}`, "/login_url");
}

/** Whether users of all orgs sign in there. */
export function isSharedSignIn(origin: string): boolean {
  return SIGN_IN_HOSTS.has(new URL(origin).hostname);
}

/**
 * Whether two hosts that claim the same org id can be believed. An id is only what a host claims about itself. It is
 * believed for the same host, whose name TLS has verified, and between hosts of Salesforce, where an org may get
 * another name (My Domain, Hyperforce).
 */
export function canBeSameOrg(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)];
  return (
    first.origin === second.origin ||
    [first, second].every(({ protocol, hostname }) => protocol === "https:" && SALESFORCE_HOST.test(hostname))
  );
}

function parseAddress(given: string, pointer = "/ext_instance_url"): URL {
  const text = given.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (/\s/.test(text) || !URL.canParse(withScheme)) throw noAddress(text, pointer);
  const url = new URL(withScheme);
  // A single word is a host only within a private network, where it must be given with its scheme.
  if (withScheme !== text && !/[.:]|^localhost$/.test(url.host)) throw noAddress(text, pointer);
  try {
    assertOutboundUrl(url);
  } catch (error) {
    if (error instanceof AddressRefused) throw invalid(refusedAddress(error, url), pointer);
    throw error;
  }
  return url;
}

function noAddress(text: string, pointer: string): AppError {
  const shown = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : text;
  return invalid(`${shown ? `“${shown}”` : "This"} is no address of a Salesforce org. One ${LOOKS}`, pointer);
}

function apiHost(hostname: string): string {
  for (const [suffix, api] of PAGE_HOSTS) {
    if (hostname.endsWith(suffix)) return hostname.slice(0, -suffix.length) + api;
  }
  return hostname;
}

function invalid(detail: string, pointer = "/ext_instance_url"): AppError {
  return new AppError("source_url_invalid", detail, { errors: [{ pointer, code: "source_url_invalid", detail }] });
}

/** "localhost", names below it, 127.0.0.0/8 and ::1 (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const LOOPBACK = /(?:^|\.)localhost$|^127\.|^\[::1\]$/;

/**
 * Why an address is refused. Addresses of this machine can be allowed, as development and tests need; a user name or
 * password in one cannot.
 */
export function refusedAddress(
  { message }: AddressRefused,
  { hostname, username, password }: URL,
  allowed = env.ALLOW_PRIVATE_NETWORK,
): string {
  if (allowed || username || password || !LOOPBACK.test(hostname)) return message;
  return (
    `${message} For whoever runs this service: ALLOW_PRIVATE_NETWORK=true allows addresses of this machine in ` +
    "development."
  );
}
