import { errorCode } from "@/lib/outbound/outbound-fetch";
import { AddressRefused } from "@/lib/outbound/address-rules";

/** The failure of an answer that is not 2xx, as a sentence. */
export function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `The endpoint answered ${status}, a redirect. Redirects are not followed.`;
  return `The endpoint answered ${status}; a delivery needs a 2xx.`;
}

const SOCKET_ERRORS: Record<string, string> = {
  ENOTFOUND: "The host of the address was not found.",
  EAI_AGAIN: "The host of the address could not be looked up.",
  ECONNREFUSED: "The endpoint refused the connection.",
  ECONNRESET: "The endpoint closed the connection without an answer.",
  UND_ERR_SOCKET: "The endpoint closed the connection without an answer.",
  UND_ERR_CONNECT_TIMEOUT: "The endpoint could not be reached in time.",
  ETIMEDOUT: "The endpoint could not be reached in time.",
  UND_ERR_HEADERS_OVERFLOW: "The endpoint's answer has too many headers, or too long ones.",
  EHOSTUNREACH: "The endpoint's host cannot be reached over the network.",
  ENETUNREACH: "The endpoint's host cannot be reached over the network.",
};

/** Codes of certificate errors: CERT_HAS_EXPIRED, SELF_SIGNED_CERT_IN_CHAIN, ERR_TLS_CERT_ALTNAME_INVALID. */
const CERTIFICATE_FAULT = /(?:^|_)CERT|^ERR_TLS|^UNABLE_TO_/;

/** Why there was no answer, as a sentence. It shows nothing of the error's own text, which may describe our network. */
export function describeError(error: unknown, timeoutMs: number): string {
  if (error instanceof AddressRefused) return error.message;
  if (error instanceof Error && error.name === "TimeoutError")
    return `The endpoint did not answer within ${timeoutMs / 1000} seconds.`;
  const code = errorCode(error);
  if (code === undefined) return "The request failed.";
  if (CERTIFICATE_FAULT.test(code)) return `The endpoint's certificate is not valid (${code}).`;
  return SOCKET_ERRORS[code] ?? `The request failed (${code}).`;
}
