import type { z } from "zod";

const TOGETHER = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME"] as const;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

type OidcVariables = Partial<Record<(typeof TOGETHER)[number], string>> & { OIDC_EMAIL_DOMAINS: string[]; ALLOW_PRIVATE_NETWORK: boolean };

/** The rules that span the OIDC_* settings: all or none, and an issuer that a client secret may be sent to. */
export function checkOidcSettings(given: OidcVariables, issue: Pick<z.RefinementCtx, "addIssue">): void {
  const say = (name: string, message: string) => issue.addIssue({ code: "custom", path: [name], message });
  if (given.OIDC_EMAIL_DOMAINS.length === 0 && TOGETHER.every((name) => !given[name])) return;
  for (const name of TOGETHER) if (!given[name]) say(name, `is not set. Sign-in through a provider needs all of ${TOGETHER.join(", ")}.`);
  const fault = given.OIDC_ISSUER && issuerFault(given.OIDC_ISSUER, given.ALLOW_PRIVATE_NETWORK);
  if (fault) say("OIDC_ISSUER", fault);
  const wrong = given.OIDC_EMAIL_DOMAINS.filter((domain) => !DOMAIN.test(domain));
  if (wrong.length > 0) say("OIDC_EMAIL_DOMAINS", `must be domains like example.com with commas between; ${wrong.join(", ")} is not one.`);
}

/** OpenID Connect Core 1.0 §2: an https address without query and fragment. Over http only on this machine or in a network said to be private. */
function issuerFault(issuer: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(issuer)) return "must be an address like https://login.example.com.";
  const { protocol, hostname, username, password } = new URL(issuer);
  const isPrivate = allowPrivate || LOOPBACK.has(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isPrivate)) return "must begin with https://; the client secret is sent there.";
  if (username || password || /[?#]/.test(issuer)) return "must have no user name, query or fragment.";
  return null;
}
