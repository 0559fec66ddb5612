import { hash, verify } from "@node-rs/argon2";

const MIN_LENGTH = 12;

/** argon2 reads the whole password; without a limit a long one is work for free. */
const MAX_LENGTH = 256;

/** OWASP's minimum for argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * What is wrong with the length of a new password, as a sentence, or null. No kind of character is demanded (NIST SP
 * 800-63B §3.1.1.2); whether it can be guessed is for `refuseWeakPassword`.
 */
export function lengthFault(password: string): string | null {
  const length = [...password].length;
  if (length < MIN_LENGTH) return `The password needs at least ${MIN_LENGTH} characters; this one has ${length}.`;
  if (length > MAX_LENGTH) return `The password may have at most ${MAX_LENGTH} characters; this one has ${length}.`;
  return null;
}

/** argon2id with its salt and cost in one string. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalizePassword(password), COST);
}

/**
 * Whether `password` is the one that was hashed. Without a stored hash (nobody has this e-mail) it hashes all the same
 * and says no, so that the time taken does not tell which e-mails exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_LENGTH * 2) return false;
  if (stored === null) {
    await hashPassword(password);
    return false;
  }
  return verify(stored, normalizePassword(password));
}

/** The form in which a password is hashed and judged: keyboards differ in how they compose an accented letter. */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}
