import { errorCode } from "@/lib/outbound/outbound-fetch";
import { ResponseRefused, ResponseTooLarge } from "@/lib/input/bounded-json";
import { AddressRefused } from "@/lib/outbound/address-rules";
import { SalesforceError } from "@/lib/salesforce/errors";
import { refusedAddress } from "@/lib/salesforce/instance-url";

/** Where the name itself leads nowhere, its port is no part of the fault. */
const SENTENCES: Record<string, (url: URL) => string> = {
  ENOTFOUND: ({ hostname }) =>
    `There is no host named ${hostname}. Check the spelling: a Salesforce address looks like ` +
    "https://acme.my.salesforce.com.",
  EAI_AGAIN: ({ hostname }) =>
    `The name ${hostname} could not be looked up. Check the spelling and this server's DNS, and try again.`,
  ECONNREFUSED: ({ host }) => `Nothing answers at ${host}. Check the address and its port.`,
  BAD_PORT: ({ host }) => `Nothing answers at ${host}: that port is never one for web addresses. Check the address.`,
  EHOSTUNREACH: ({ host }) => `${host} cannot be reached from here. Check the address and this server's network.`,
  ENETUNREACH: ({ host }) => `${host} cannot be reached from here. Check the address and this server's network.`,
  UND_ERR_CONNECT_TIMEOUT: ({ host }) => `${host} did not answer in time. Check the address, and try again.`,
  UND_ERR_HEADERS_TIMEOUT: ({ host }) => `${host} did not answer in time. Check the address, and try again.`,
  UND_ERR_HEADERS_OVERFLOW: ({ host }) => `${host} sends longer headers than Salesforce does. Check the address.`,
  UND_ERR_BODY_TIMEOUT: ({ host }) => `${host} stopped in the middle of an answer. Try again.`,
  EPROTO: ({ host }) => `${host} does not speak HTTPS. Check the address and its port.`,
  ERR_SSL_WRONG_VERSION_NUMBER: ({ host }) => `${host} does not speak HTTPS. Check the address and its port.`,
};

const PERMANENT = new Set([
  "BAD_PORT",
  "ENOTFOUND",
  "EPROTO",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "UND_ERR_HEADERS_OVERFLOW",
]);

/** Turns an error of fetch into one that names cause and remedy. */
export function errorOfSocket(thrown: unknown, url: URL): SalesforceError {
  if (thrown instanceof SalesforceError) return thrown;
  if (thrown instanceof AddressRefused)
    return new SalesforceError("source_url_invalid", refusedAddress(thrown, url), { cause: thrown });
  if (thrown instanceof ResponseRefused) {
    const detail = `${url.host} sent another answer than Salesforce does. ${thrown.message} Check the address.`;
    return new SalesforceError("source_not_salesforce", detail, {
      errorCode: thrown instanceof ResponseTooLarge ? "ANSWER_TOO_LARGE" : null,
    });
  }
  return errorOfCode(codeOf(thrown), url, thrown);
}

function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown.name === "TimeoutError") return "UND_ERR_HEADERS_TIMEOUT";
  // Fetch refuses ports of other services, such as 1, without a code (Fetch Standard, “Port blocking”).
  if (thrown.cause instanceof Error && thrown.cause.message === "bad port") return "BAD_PORT";
  return errorCode(thrown);
}

function errorOfCode(code: string | undefined, url: URL, cause: unknown): SalesforceError {
  if (code && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/.test(code)) {
    const detail = `The certificate of ${url.host} is not valid for that name (${code}). Check the address.`;
    return new SalesforceError("source_unreachable", detail, { cause, errorCode: code });
  }
  const sentence = code && SENTENCES[code];
  return new SalesforceError(
    "source_unreachable",
    sentence ? sentence(url) : `The connection to ${url.host} broke. Try again.`,
    {
      cause,
      errorCode: code ?? null,
      transient: !PERMANENT.has(code ?? ""),
    },
  );
}
