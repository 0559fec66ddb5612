import { hash, verify } from "@node-rs/argon2";

import { AppError } from "@/lib/errors";
import { Semaphore } from "@/lib/semaphore";

const MIN_LENGTH = 12;

/** argon2 reads the whole password; without a limit, long ones could keep the processor busy. */
const MAX_LENGTH = 256;

/** OWASP's minimum for argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Half of libuv's threads: compression, files and names that are looked up need the others. */
const MAX_CONCURRENT = 2;

/** Together they wait for about a second. No limit of attempts bounds those with the right password. */
const MAX_WAITING = 50;

// Next evaluates modules once per bundle; one process counts once.
const holder = globalThis as typeof globalThis & { crmHashing?: Semaphore };

const hashing = (holder.crmHashing ??= new Semaphore(MAX_CONCURRENT));

/** Runs argon2 when there is a slot. Throws `too_many_requests` if {@link MAX_WAITING} wait for one already. */
async function inHashSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (hashing.waiting >= MAX_WAITING) {
    const detail = "Too many passwords are being checked at the moment. Try again in 2 seconds.";
    throw new AppError("too_many_requests", detail, { retryAfter: 2 });
  }
  return hashing.run(work);
}

/**
 * What is wrong with the length of a new password, as a sentence, or null. No kind of character is required (NIST SP
 * 800-63B §3.1.1.2); `assertStrongPassword` judges how easily it is guessed.
 */
export function lengthFault(password: string): string | null {
  const length = [...password].length;
  if (length < MIN_LENGTH) return `The password needs at least ${MIN_LENGTH} characters; this one has ${length}.`;
  if (length > MAX_LENGTH) return `The password may have at most ${MAX_LENGTH} characters; this one has ${length}.`;
  return null;
}

/**
 * The argon2id hash, with salt and cost in the same string. Throws `too_many_requests` where too many are being made.
 */
export function hashPassword(password: string): Promise<string> {
  return inHashSlot(() => hash(normalizePassword(password), COST));
}

/**
 * Whether `password` is the one that was hashed. Without a stored hash (unknown e-mail) it hashes all the same and
 * returns false, so that the time does not reveal which e-mails exist. Throws `too_many_requests` as
 * {@link hashPassword} does, and has then checked nothing.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_LENGTH * 2) return false;
  if (stored === null) {
    await hashPassword(password);
    return false;
  }
  return inHashSlot(() => verify(stored, normalizePassword(password)));
}

/** The form in which a password is hashed and rated: keyboards differ in how they compose accented letters. */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}
