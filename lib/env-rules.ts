import ipaddr from "ipaddr.js";
import type { z } from "zod";

const MIN_SECRET_LENGTH = 32;

/** What is wrong with a secret, the present one or one of APP_SECRET_PREVIOUS; null if nothing is. */
export function secretFault(secret: string): string | null {
  if (secret.length < MIN_SECRET_LENGTH) return `must have at least ${MIN_SECRET_LENGTH} characters`;
  if (secret.includes(",")) return "must have no comma, which separates secrets in APP_SECRET_PREVIOUS";
  return null;
}

/** What is wrong with the address of a database; null if nothing is. Never says the value: it contains a password. */
export function databaseUrlFault(value: string): string | null {
  const { protocol, hostname } = URL.canParse(value) ? new URL(value) : { protocol: "", hostname: "" };
  if (/^postgres(?:ql)?:$/.test(protocol) && hostname !== "" && isDecodable(value)) return null;
  return (
    "is not the address of a PostgreSQL database. Write it as postgresql://user:password@host:5432/database, with " +
    "special characters of the password percent-encoded (@ as %40). That of a socket is " +
    "postgresql://user@localhost/database?host=/its/folder."
  );
}

function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== "";
  } catch {
    return false;
  }
}

/** What is wrong with the token that protects the metrics; null if nothing is. */
export function metricsTokenFault(token: string): string | null {
  return /^[\x21-\x7e]{32,}$/.test(token) ? null : "must have 32 characters or more, all of them ASCII without blanks";
}

/**
 * The secrets in APP_SECRET_PREVIOUS: each without the blanks that people write around a comma, and as it is written,
 * since APP_SECRET may have had them.
 */
export function previousSecrets(value: string): string[] {
  const written = value.split(",").filter((secret) => secret.trim() !== "");
  return [...new Set(written.flatMap((secret) => [secret.trim(), secret]))];
}

type Issue = Pick<z.RefinementCtx, "addIssue">;

type AddIssue = (name: string, message: string) => void;

function adder(issue: Issue): AddIssue {
  return (name, message) => issue.addIssue({ code: "custom", path: [name], message });
}

/** Adds an issue for each of the settings that is not set. */
function requireAll<Name extends string>(
  given: Partial<Record<Name, string | undefined>>,
  names: readonly Name[],
  what: string,
  addIssue: AddIssue,
): void {
  for (const name of names) if (!given[name]) addIssue(name, `is not set. ${what} needs all of ${names.join(", ")}.`);
}

const OIDC_VARIABLES = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME"] as const;

const ISSUER: Words = { like: "https://login.example.com", sent: "the client secret is" };

const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

type OidcVariables = Partial<Record<(typeof OIDC_VARIABLES)[number], string>> & {
  OIDC_EMAIL_DOMAINS: string[];
  ALLOW_PRIVATE_NETWORK: boolean;
};

/** The rules that span the OIDC_* settings: all or none, and an issuer that a client secret may be sent to. */
function refineOidcSettings(given: OidcVariables, issue: Issue): void {
  const addIssue = adder(issue);
  if (given.OIDC_EMAIL_DOMAINS.length === 0 && OIDC_VARIABLES.every((name) => !given[name])) return;
  requireAll(given, OIDC_VARIABLES, "Sign-in through a provider", addIssue);
  const fault = given.OIDC_ISSUER && addressFault(given.OIDC_ISSUER, given.ALLOW_PRIVATE_NETWORK, ISSUER);
  if (fault) addIssue("OIDC_ISSUER", fault);
  const wrong = given.OIDC_EMAIL_DOMAINS.filter((domain) => !DOMAIN.test(domain));
  if (wrong.length > 0)
    addIssue(
      "OIDC_EMAIL_DOMAINS",
      `must be domains like example.com with commas between; ${wrong.join(", ")} is not one.`,
    );
}

interface Words {
  like: string;
  sent: string;
}

/**
 * OpenID Connect Core 1.0 §2: an https address without query and fragment. http is allowed only for this machine, or
 * with ALLOW_PRIVATE_NETWORK.
 */
function addressFault(address: string, allowPrivate: boolean, { like, sent }: Words): string | null {
  if (!URL.canParse(address)) return `must be an address like ${like}.`;
  const { protocol, hostname, username, password } = new URL(address);
  const isPrivate = allowPrivate || isLoopback(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isPrivate))
    return `must begin with https://; ${sent} sent there.`;
  if (username || password || /[?#]/.test(address)) return "must have no user name, query or fragment.";
  return null;
}

const S3_VARIABLES = ["FILES_S3_URL", "FILES_S3_ACCESS_KEY_ID", "FILES_S3_SECRET_ACCESS_KEY"] as const;

type S3Variables = Partial<Record<(typeof S3_VARIABLES)[number], string>> & {
  FILES_STORAGE?: "none" | undefined;
  ALLOW_PRIVATE_NETWORK: boolean;
};

/** The rules that span the FILES_* settings: a bucket or none, and an address that contents may be sent to. */
function refineS3Settings(given: S3Variables, issue: Issue): void {
  const addIssue = adder(issue);
  if (S3_VARIABLES.every((name) => !given[name])) return;
  if (given.FILES_STORAGE === "none")
    addIssue("FILES_STORAGE", `must be unset with a bucket: leave out ${S3_VARIABLES.join(", ")}, or this.`);
  requireAll(given, S3_VARIABLES, "A storage of files", addIssue);
  const like = "https://bucket.s3.eu-central-1.amazonaws.com";
  const fault =
    given.FILES_S3_URL && addressFault(given.FILES_S3_URL, given.ALLOW_PRIVATE_NETWORK, { like, sent: "files are" });
  if (fault) addIssue("FILES_S3_URL", fault);
}

const SALESFORCE_VARIABLES = ["SALESFORCE_CLIENT_ID", "SALESFORCE_CLIENT_SECRET"] as const;

type SalesforceVariables = Partial<Record<(typeof SALESFORCE_VARIABLES)[number], string>>;

/** The rule that spans the SALESFORCE_* settings: both or none. */
function refineSalesforceSettings(given: SalesforceVariables, issue: Issue): void {
  if (SALESFORCE_VARIABLES.every((name) => !given[name])) return;
  requireAll(given, SALESFORCE_VARIABLES, "Sign-in at Salesforce", adder(issue));
}

/** The settings that point at an Inngest server, self-hosted or cloud. */
export interface InngestSettings {
  INNGEST_BASE_URL?: string | undefined;
  INNGEST_DEV?: string | undefined;
  INNGEST_EVENT_KEY?: string | undefined;
  INNGEST_SIGNING_KEY?: string | undefined;
}

/** True when jobs run on an Inngest server, false when they run on the embedded engine. */
export function hasInngestServer(settings: InngestSettings): boolean {
  const { INNGEST_BASE_URL: address, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey } = settings;
  return Boolean(address || eventKey || signingKey || isInngestDevServer(settings));
}

/**
 * True when that server is a development server, which signs nothing. As in the SDK, INNGEST_DEV may be "0" or "false".
 */
export function isInngestDevServer({ INNGEST_DEV: dev }: InngestSettings): boolean {
  return Boolean(dev && !["0", "false"].includes(dev.toLowerCase()));
}

type GivenInngestSettings = InngestSettings & {
  APP_URL: string;
  INNGEST_SERVE_ORIGIN?: string | undefined;
  TRUST_PROXY: boolean;
};

/** The rules that span the INNGEST_* settings: both keys, or a development server on this machine. */
export function refineInngestSettings(given: GivenInngestSettings, issue: Issue): void {
  const addIssue = adder(issue);
  if (!hasInngestServer(given)) {
    if (given.INNGEST_SERVE_ORIGIN)
      addIssue("INNGEST_SERVE_ORIGIN", "is for an Inngest server, but no other INNGEST_* setting names one.");
    return;
  }
  if (given.INNGEST_BASE_URL && !/^https?:\/\/./.test(given.INNGEST_BASE_URL))
    addIssue("INNGEST_BASE_URL", "must begin with https:// or http://.");
  if (isInngestDevServer(given)) return refineDevServer(given, addIssue);
  requireAll(given, ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"], "An Inngest server", addIssue);
}

/** A development server signs nothing, so only this machine may call. */
function refineDevServer(given: GivenInngestSettings, addIssue: AddIssue): void {
  if (given.INNGEST_SIGNING_KEY)
    addIssue("INNGEST_DEV", "cannot be set together with INNGEST_SIGNING_KEY: no signature would be required.");
  const origin = given.INNGEST_SERVE_ORIGIN;
  if (origin && !isLoopback(new URL(origin).hostname))
    addIssue("INNGEST_SERVE_ORIGIN", "must be a localhost address with INNGEST_DEV, which is for one machine.");
  if (given.TRUST_PROXY || !isLoopback(new URL(given.APP_URL).hostname)) {
    addIssue(
      "INNGEST_DEV",
      "is for development on one machine: APP_URL must be a localhost address then, and TRUST_PROXY unset.",
    );
  }
}

/** The rules that span several settings. */
export function refineSettings(
  given: OidcVariables & GivenInngestSettings & S3Variables & SalesforceVariables,
  issue: Issue,
): void {
  refineOidcSettings(given, issue);
  refineInngestSettings(given, issue);
  refineS3Settings(given, issue);
  refineSalesforceSettings(given, issue);
}

/** Whether a host name or network address is this machine. */
export function isLoopback(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/g, "");
  return address === "localhost" || (ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback");
}

/** Settings with which no process can work: which, and how to write them. */
export class SettingsFault extends Error {
  override readonly name = "SettingsFault";
}
