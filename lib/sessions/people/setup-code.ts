import { AppError } from "@/lib/errors";
import { deriveKey, digestsEqual, sha256 } from "@/lib/security/crypto";
import { assertAttemptAllowed, networkOf, undoAttempt, type Throttle } from "@/lib/security/throttle";

/** Crockford's base 32: without letters that are easily mistaken for a digit or another letter. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const LENGTH = 12;

const GROUP = 4;

/**
 * The code that allows creating the organization: 60 bits in three groups, "7F3K-9QWM-X2TD". It is derived from
 * APP_SECRET, so nothing is stored and every process of a service has the same code.
 */
export function setupCode(): string {
  const letters = [...deriveKey("setup-code").subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return Array.from({ length: LENGTH / GROUP }, (_, group) =>
    letters.slice(group * GROUP, (group + 1) * GROUP).join(""),
  ).join("-");
}

/** Whether `given` is the setup code, in any grouping and case. Compared in constant time. */
function isSetupCode(given: string): boolean {
  const letters = given
    .toUpperCase()
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1")
    .replaceAll(/[^0-9A-Z]/g, "");
  return digestsEqual(sha256(letters), sha256(setupCode().replaceAll("-", "")));
}

/** Protects the database from requests; the code, of 60 bits, needs no protection. */
const NETWORK_THROTTLE: Throttle = { name: "setup-code", limit: 10, windowSeconds: 15 * 60, isOpen: true };

const POINTER = "/setup_code";

interface SetupAttempt {
  /** The network address of the visit. */
  address: string;
  code: string;
}

/**
 * Throws `forbidden` or `too_many_requests`, with a sentence at `/setup_code`, unless the visit brings the setup code.
 * Being the first to reach the port proves nothing, not even from this machine: its other users, and a proxy on it,
 * have its address too.
 */
export async function assertSetupCode({ address, code }: SetupAttempt): Promise<void> {
  const network = networkOf(address);
  await assertAttemptAllowed(NETWORK_THROTTLE, network, "Too many wrong codes.", POINTER);
  if (!isSetupCode(code)) {
    const detail = "This is not the setup code. Copy it from the console of the service, where it starts.";
    throw new AppError("forbidden", detail, { errors: [{ pointer: POINTER, code: "invalid_value", detail }] });
  }
  await undoAttempt(NETWORK_THROTTLE, network);
}
