import { AppError } from "@/lib/errors";
import { networkOf } from "@/lib/network-of";
import { isSetupCode } from "@/lib/sessions/setup-code";
import { countAttempt, takeBackAttempt, type Throttle, waitInWords } from "@/lib/throttle";

/** The code has 60 bits: this spares the database, not the code. */
const PER_NETWORK: Throttle = { name: "setup-code", limit: 10, windowSeconds: 15 * 60, isOpen: true };

interface Visit {
  /** The network address that the visit comes from. */
  address: string;
  code: string;
}

/**
 * Lets a visit that brings the setup code create the organization. Whoever else reaches the port first has no business here, not even on this machine:
 * other users of it, and a proxy on it, come from its own address too. Throws `forbidden` or `too_many_requests` with a sentence at `/setup_code`.
 */
export async function allowSetup({ address, code }: Visit): Promise<void> {
  const network = networkOf(address);
  const wait = await countAttempt(PER_NETWORK, network);
  if (wait > 0) throw refusal("too_many_requests", `Too many wrong codes. Try again ${waitInWords(wait)}.`);
  if (!isSetupCode(code)) throw refusal("forbidden", "This is not the setup code. Copy it from the console of the service, where it starts.");
  await takeBackAttempt(PER_NETWORK, network);
}

function refusal(code: "forbidden" | "too_many_requests", detail: string): AppError {
  return new AppError(code, detail, { errors: [{ pointer: "/setup_code", code: "invalid_value", detail }] });
}
