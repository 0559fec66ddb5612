import { networkOf, countAttempt, clearAttempts, undoAttempt, type Throttle } from "@/lib/security/throttle";

const WINDOW_SECONDS = 15 * 60;

/** A browser in which this user has signed in before. */
const PER_DEVICE: Throttle = { name: "sign-in-device", limit: 10, windowSeconds: WINDOW_SECONDS };

/** Higher, since a whole office can share one address. */
const PER_NETWORK: Throttle = { name: "sign-in-network", limit: 100, windowSeconds: WINDOW_SECONDS, isOpen: true };

const PER_NETWORK_AND_EMAIL: Throttle = {
  name: "sign-in-network-email",
  limit: 10,
  windowSeconds: WINDOW_SECONDS,
  isOpen: true,
};

/** The limit of all browsers in which this user has not signed in: many addresses can guess 4,800 times a day. */
const PER_EMAIL: Throttle = { name: "sign-in-email", limit: 50, windowSeconds: WINDOW_SECONDS, isOpen: true };

/** A limit against which an attempt is counted. */
export interface SignInLimit {
  throttle: Throttle;
  subject: string;
}

interface Attempt {
  /** As returned by `normalizeEmail`. */
  email: string;
  address: string;
  /** The id of the browser, if this user has signed in there before. */
  device: string | null;
}

/**
 * The limits for an attempt to sign in; only failures count. A browser in which the user has signed in before has 10
 * attempts in 15 minutes to itself, so nobody else can use them up. All others share 10 per network and e-mail, 100 per
 * network, 50 per e-mail.
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
 * Counts an attempt and returns the seconds to wait, or 0. An attempt that one limit refuses counts against no other.
 * Otherwise one network could use up the limit of an e-mail, or attempts at one e-mail that of a whole network.
 */
export async function countSignIn(limits: readonly SignInLimit[]): Promise<number> {
  for (const [index, { throttle, subject }] of limits.entries()) {
    const wait = await countAttempt(throttle, subject);
    if (wait === 0) continue;
    await undoSignIn(limits.slice(0, index));
    return wait;
  }
  return 0;
}

/** Takes back an attempt that was not carried out. */
export async function undoSignIn(limits: readonly SignInLimit[]): Promise<void> {
  await Promise.all(limits.map(({ throttle, subject }) => undoAttempt(throttle, subject)));
}

/**
 * Takes back an attempt that succeeded. The person's own earlier failures are cleared. The shared counts keep theirs,
 * since others may be guessing.
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
