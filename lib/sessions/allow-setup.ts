import { AppError } from "@/lib/errors";
import { networkOf } from "@/lib/sessions/network-of";
import { isSetupCode } from "@/lib/sessions/setup-code";
import { countAttempt, type Throttle, waitInWords } from "@/lib/throttle";

/** The code has 60 bits: this spares the database, not the code. */
const PER_NETWORK: Throttle = { name: "setup-code", limit: 10, windowSeconds: 15 * 60 };

interface Visit {
  /** The browser runs on the machine of the service. */
  isLocal: boolean;
  /** The network address that the visit comes from. */
  address: string;
  code: string;
}

/**
 * Lets a visit create the organization: one on this machine, or one that brings the setup code. Whoever else reaches the port first has
 * no business here. Throws `forbidden` or `too_many_requests` with a sentence at `/setup_code`.
 */
export async function allowSetup({ isLocal, address, code }: Visit): Promise<void> {
  if (isLocal) return;
  const wait = await countAttempt(PER_NETWORK, networkOf(address));
  if (wait > 0) throw refusal("too_many_requests", `Too many wrong codes. Try again ${waitInWords(wait)}.`);
  if (!isSetupCode(code)) throw refusal("forbidden", "This is not the setup code. Copy it from the console of the service, where it starts.");
}

function refusal(code: "forbidden" | "too_many_requests", detail: string): AppError {
  return new AppError(code, detail, { errors: [{ pointer: "/setup_code", code: "invalid_value", detail }] });
}
