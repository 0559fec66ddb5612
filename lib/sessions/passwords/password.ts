import { hash, verify } from "@node-rs/argon2";

const MIN_LENGTH = 12;

/** argon2 reads the whole password; without a limit, long ones could keep the processor busy. */
const MAX_LENGTH = 256;

/** OWASP's minimum for argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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

/** The argon2id hash, with salt and cost in the same string. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalizePassword(password), COST);
}

/**
 * Whether `password` is the one that was hashed. Without a stored hash (unknown e-mail) it hashes all the same and
 * returns false, so that the time does not reveal which e-mails exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_LENGTH * 2) return false;
  if (stored === null) {
    await hashPassword(password);
    return false;
  }
  return verify(stored, normalizePassword(password));
}

/** The form in which a password is hashed and rated: keyboards differ in how they compose accented letters. */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}
