import { networkOf, countAttempt, clearAttempts, undoAttempt, type Throttle } from "@/lib/security/throttle";

const WINDOW_SECONDS = 15 * 60;

/** A browser in which this e-mail has signed in before. */
const PER_DEVICE: Throttle = { name: "sign-in-device", limit: 10, windowSeconds: WINDOW_SECONDS };

/** Wider, since a whole office can share one address. */
const PER_NETWORK: Throttle = { name: "sign-in-network", limit: 100, windowSeconds: WINDOW_SECONDS, isOpen: true };

const PER_NETWORK_AND_EMAIL: Throttle = {
  name: "sign-in-network-email",
  limit: 10,
  windowSeconds: WINDOW_SECONDS,
  isOpen: true,
};

/** All browsers unknown to this e-mail together: what many addresses can guess, 4,800 a day. */
const PER_EMAIL: Throttle = { name: "sign-in-email", limit: 50, windowSeconds: WINDOW_SECONDS, isOpen: true };

/** One thing that an attempt is counted by. */
export interface SignInLimit {
  throttle: Throttle;
  subject: string;
}

interface Attempt {
  /** As `normalizeEmail` gives it. */
  email: string;
  address: string;
  /** The browser, when this e-mail has signed in there before. */
  device: string | null;
}

/**
 * What an attempt to sign in is counted by; only failures count. A browser in which the e-mail has signed in before has
 * 10 in a quarter of an hour to itself, so nobody outside can use them up. All others share 10 per network and e-mail,
 * 100 per network, 50 per e-mail.
 */
export function signInLimits({ email, address, device }: Attempt): SignInLimit[] {
  if (device !== null) return [{ throttle: PER_DEVICE, subject: device }];
  const network = networkOf(address);
  return [
    { throttle: PER_NETWORK, subject: network },
    { throttle: PER_NETWORK_AND_EMAIL, subject: `${network} ${email}` },
    { throttle: PER_EMAIL, subject: email },
  ];
}

/**
 * Counts an attempt, and returns the seconds to wait or 0. What one limit refuses is counted by no other: one network
 * alone must not use up an e-mail's, nor somebody who goes on trying one e-mail a whole network's.
 */
export async function countSignIn(limits: readonly SignInLimit[]): Promise<number> {
  for (const [index, { throttle, subject }] of limits.entries()) {
    const wait = await countAttempt(throttle, subject);
    if (wait === 0) continue;
    await Promise.all(limits.slice(0, index).map((earlier) => undoAttempt(earlier.throttle, earlier.subject)));
    return wait;
  }
  return 0;
}

/**
 * Takes back an attempt that was right. The person's own failures are forgotten, those of everybody are not: others may
 * be guessing.
 */
export async function takeBackSignIn(limits: readonly SignInLimit[]): Promise<void> {
  await Promise.all(
    limits.map(({ throttle, subject }) =>
      throttle === PER_DEVICE || throttle === PER_NETWORK_AND_EMAIL
        ? clearAttempts(throttle, subject)
        : undoAttempt(throttle, subject),
    ),
  );
}
