import { networkOf } from "@/lib/network-of";
import { countAttempt, takeBackAttempt, type Throttle } from "@/lib/throttle";

/** Each step asks the provider something, so strangers must not be able to make us ask without end. Wide, since an office shares one address. */
const PER_NETWORK: Throttle = { name: "sign-in-oidc", limit: 100, windowSeconds: 15 * 60, isOpen: true };

/** Counts one step, the way there or the way back, and returns the seconds to wait or 0. */
export function countOidcStep(address: string): Promise<number> {
  return countAttempt(PER_NETWORK, networkOf(address));
}

/** Takes back both steps of a sign-in that succeeded. */
export async function takeBackOidcSteps(address: string): Promise<void> {
  await takeBackAttempt(PER_NETWORK, networkOf(address));
  await takeBackAttempt(PER_NETWORK, networkOf(address));
}
